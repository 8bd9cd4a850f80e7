/**
 * Reads the body of a Deno request into reused memory.
 *
 * Deno (2.9) reads 64 KiB at a time into new memory, which the kernel must clear and the collector find: two fifths of
 * an upload's cost.
 * @module
 */

import type { FlowBody } from "../../http/flow.ts";
import { fromStream, readAlong } from "../../http/read-along.ts";

/** Read at first, as few bodies are longer, and few callers faster. */
const FIRST_BYTES = 64 * 1024;
/** Read of a body that fills its memory. */
const BLOCK_BYTES = 256 * 1024;
/** Pieces of up to this many bytes are copied, so that a caller who sends little at a time does not hold a block for each. */
const SMALL_BYTES = 16 * 1024;
/** Of each size. */
const MAX_SPARE_BLOCKS = 16;

/** Blocks that nobody uses, by their size. */
const spares = new Map<number, ArrayBuffer[]>([[FIRST_BYTES, []], [BLOCK_BYTES, []]]);

/** Makes the body; nothing is read before somebody reads it. A stream whose bytes have come already takes no memory of its reader's. */
export function createBody(stream: ReadableStream<Uint8Array>): FlowBody {
  const reader = openReader(stream);
  if (!reader) return fromStream(stream);
  /** Those that what was handed on is in. */
  let lent: ArrayBuffer[] = [];
  let nextBytes = FIRST_BYTES;
  return readAlong({
    async read() {
      const { done, value } = await reader.read(new Uint8Array(takeBlock(nextBytes)));
      if (!value) return undefined;
      const { buffer, length } = value;
      if (length === buffer.byteLength) nextBytes = BLOCK_BYTES;
      if (length > SMALL_BYTES) {
        lent.push(buffer);
        return value;
      }
      const copy = done ? undefined : value.slice();
      giveBack(buffer);
      return copy;
    },
    cancel: (reason) => reader.cancel(reason),
    spent() {
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
