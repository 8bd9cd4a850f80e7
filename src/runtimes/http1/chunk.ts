/**
 * The chunked coding on a connection (RFC 9112 §7.1).
 * @module
 */

import { Buffer } from "node:buffer";
import type { Wire } from "./wire.ts";

/** Chunks up to this many bytes are copied together with their size, so that they leave as one piece. */
const JOINED_BYTES = 16_384;
const LINE_END = "\r\n";

/** Ends a body. */
export const LAST_CHUNK = "0\r\n\r\n";

/** Writes a chunk that is not empty; an empty one would end the body. Returns what `write` of the connection does. */
export function writeChunk(wire: Wire, chunk: Uint8Array): boolean {
  const size = `${chunk.length.toString(16)}${LINE_END}`;
  if (chunk.length <= JOINED_BYTES) return wire.write(joinChunk(size, chunk));
  wire.cork();
  wire.write(size, "latin1");
  wire.write(chunk);
  const isWanted = wire.write(LINE_END, "latin1");
  wire.uncork();
  return isWanted;
}

function joinChunk(size: string, chunk: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(size.length + chunk.length + LINE_END.length);
  bytes.write(size, 0, "latin1");
  bytes.set(chunk, size.length);
  bytes.write(LINE_END, size.length + chunk.length, "latin1");
  return bytes;
}
