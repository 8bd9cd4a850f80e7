/**
 * Writes text as Latin-1, one byte per character.
 * @module
 */

import { Buffer } from "node:buffer";

const encoder = new TextEncoder();

/** Encodes a text into a new buffer. */
export function encodeLatin1(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(text.length);
  writeLatin1(text, bytes);
  return bytes;
}

/** Writes a text to the start of a buffer, which must have room for it. */
export function writeLatin1(text: string, bytes: Buffer): void {
  // ASCII is the same in UTF-8, which Deno (2.9) writes four times as fast.
  const { read, written } = encoder.encodeInto(text, bytes);
  if (read !== text.length || written !== text.length) bytes.write(text, 0, "latin1");
}
