/**
 * The chunked coding on a connection (RFC 9112 §7.1).
 * @module
 */

import { Buffer } from "node:buffer";
import { nameOf } from "../../core/http/fields.ts";
import type { FlowBody } from "../../core/http/flow.ts";
import { passedTrailers } from "../../core/http/trailers.ts";
import type { Wire } from "../contract.ts";

/** Chunks up to this many bytes are copied together with their size line, so that they are sent as one piece. */
const JOINED_BYTES = 16_384;
const LINE_END = "\r\n";
const CARRIAGE_RETURN = 13;
const LINE_FEED = 10;

/** Formats the end of a chunked body: the last chunk, and the trailers to forward. */
export function formatEnd(body: FlowBody | undefined): string {
  let lines = "";
  const trailers = body && passedTrailers(body);
  trailers?.forEach((value, name, written) => void (lines += `${nameOf(name, written)}: ${value}\r\n`));
  return `0\r\n${lines}\r\n`;
}

/** Writes a chunk, which must not be empty: that would end the body. Returns the result of the connection's `write`. */
export function writeChunk(wire: Wire, chunk: Uint8Array): boolean {
  const size = chunk.length.toString(16);
  if (chunk.length <= JOINED_BYTES) return wire.write(joinChunk(size, chunk));
  wire.cork();
  wire.write(`${size}${LINE_END}`, "latin1");
  wire.write(chunk);
  const isWanted = wire.write(LINE_END, "latin1");
  wire.uncork();
  return isWanted;
}

/** Frames a chunk in one buffer. The few framing bytes are set one by one, because a call to write them costs more. */
function joinChunk(size: string, chunk: Uint8Array): Buffer {
  const start = size.length + LINE_END.length;
  const end = start + chunk.length;
  const bytes = Buffer.allocUnsafe(end + LINE_END.length);
  for (let at = 0; at < size.length; at += 1) bytes[at] = size.charCodeAt(at);
  bytes[start - 2] = bytes[end] = CARRIAGE_RETURN;
  bytes[start - 1] = bytes[end + 1] = LINE_FEED;
  bytes.set(chunk, start);
  return bytes;
}
