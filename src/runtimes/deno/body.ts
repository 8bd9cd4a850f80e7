/**
 * Reads the body of a Deno request into reused memory.
 *
 * Deno (2.9) reads 64 KiB at a time into new memory, which the kernel must clear and the collector find: 40 % of an
 * upload's cost.
 * @module
 */

import type { FlowBody } from "../../http/flow.ts";
import { fromStream, readAlong } from "../../http/read-along.ts";

/** Bytes per read at first; few bodies are longer, and few callers are faster. */
const FIRST_BYTES = 64 * 1024;
/** Bytes per read once a read fills its block. */
const BLOCK_BYTES = 256 * 1024;
/** Chunks up to this many bytes are copied, so that small chunks do not each hold a block. */
const SMALL_BYTES = 16 * 1024;
/** Maximum number of spare blocks of each size. */
const MAX_SPARE_BLOCKS = 16;
/** More than this many are left to the collector: a slow target may always have something to send. */
const MAX_LENT_BLOCKS = 4;

/** Unused blocks, by size. */
const spares = new Map<number, ArrayBuffer[]>([[FIRST_BYTES, []], [BLOCK_BYTES, []]]);

/**
 * Makes the body. It reads nothing before it is read itself. A stream whose bytes have already arrived has no BYOB
 * reader.
 */
export function createBody(stream: ReadableStream<Uint8Array>): FlowBody {
  const reader = openReader(stream);
  if (!reader) return fromStream(stream);
  /** Blocks that hold the chunks passed on. */
  let lent: ArrayBuffer[] = [];
  let nextBytes = FIRST_BYTES;
  return readAlong({
    async read() {
      const { done, value } = await reader.read(new Uint8Array(takeBlock(nextBytes)));
      if (!value) return undefined;
      const { buffer, length } = value;
      if (length === buffer.byteLength) nextBytes = BLOCK_BYTES;
      if (length > SMALL_BYTES) {
        if (lent.push(buffer) > MAX_LENT_BLOCKS) lent.shift();
        return value;
      }
      const copy = done ? undefined : value.slice();
      giveBack(buffer);
      return copy;
    },
    cancel: (reason) => reader.cancel(reason),
    spent(isSent) {
      if (!isSent) return;
      lent.forEach(giveBack);
      lent = [];
    },
  });
}

function openReader(stream: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | undefined {
  try {
    return stream.getReader({ mode: "byob" });
  } catch {
    return undefined;
  }
}

function takeBlock(size: number): ArrayBuffer {
  return spares.get(size)?.pop() ?? new ArrayBuffer(size);
}

function giveBack(block: ArrayBuffer): void {
  const blocks = spares.get(block.byteLength);
  if (blocks && blocks.length < MAX_SPARE_BLOCKS) blocks.push(block);
}
