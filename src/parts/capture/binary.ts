/**
 * Bytes as text, one character for each byte.
 * @module
 */

/** Maximum arguments of one call: every runtime accepts at least this many. */
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
