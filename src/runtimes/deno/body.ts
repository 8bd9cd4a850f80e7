/**
 * Reads the body of a Deno request in large pieces. Deno (2.9) by itself reads 64 KiB at a time.
 * @module
 */

import type { FlowBody } from "../../http/flow.ts";
import { fromStream, readAlong } from "../../http/read-along.ts";
import { BLOCK_BYTES, COPIED_BYTES, LARGE_BLOCK_BYTES } from "./read-blocks.ts";

/**
 * Makes the body. It reads nothing before it is read itself. A stream whose bytes have already arrived has no BYOB
 * reader.
 */
export function createBody(stream: ReadableStream<Uint8Array>): FlowBody {
  const reader = openReader(stream);
  if (!reader) return fromStream(stream);
  let nextBytes = BLOCK_BYTES;
  return readAlong({
    async read() {
      const { done, value } = await reader.read(new Uint8Array(nextBytes));
      if (done || !value) return undefined;
      const { buffer, length } = value;
      if (length === buffer.byteLength) nextBytes = LARGE_BLOCK_BYTES;
      return length > COPIED_BYTES ? value : value.slice();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function openReader(stream: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | undefined {
  try {
    return stream.getReader({ mode: "byob" });
  } catch {
    return undefined;
  }
}
