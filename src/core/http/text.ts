/**
 * Text as UTF-8, its percent-encoding, and how much of it is shown.
 * @module
 */

/** Encodes as UTF-8; half a surrogate pair as U+FFFD. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** Decodes UTF-8 without its byte order mark; `undefined` when it is malformed. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The text, or as much of it as is shown, with `…` for the rest. */
export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** Percent-decodes once, as UTF-8; a `+` stays a `+`. `undefined` when it is malformed. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
