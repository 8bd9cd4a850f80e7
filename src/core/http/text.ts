/**
 * Text as UTF-8, and its percent-encoding.
 * @module
 */

/** Encodes as UTF-8; half a surrogate pair as U+FFFD. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** Percent-decodes once, as UTF-8; a `+` stays a `+`. `undefined` when it is malformed. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
