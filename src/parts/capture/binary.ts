/**
 * Bytes as text of one character each, and as Base64.
 * @module
 */

/** A call takes no more arguments than this on every runtime. */
const CALL_BYTES = 8_192;

/** The chunks as one text, one character for each byte. */
export function toBinary(chunks: readonly Uint8Array[]): string {
  const parts: string[] = [];
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += CALL_BYTES) {
      parts.push(String.fromCharCode(...chunk.subarray(at, at + CALL_BYTES)));
    }
  }
  return parts.join("");
}
