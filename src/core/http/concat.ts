/**
 * Concatenates chunks.
 * @module
 */

/** Concatenates chunks of a known total size. */
export function concat(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  if (chunks.length === 1) return chunks[0] as Uint8Array<ArrayBuffer>;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
