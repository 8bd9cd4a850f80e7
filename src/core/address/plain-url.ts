/**
 * Text as a URL as the engine reads it, for what runs at callers, too.
 * @module
 */

/**
 * Parses as `new URL` does. `URL.canParse` is not asked before: compiled, as it is after some thousands of calls, an engine of
 * ours refuses all text with characters from U+0080 to U+00FF.
 *
 * @param base what a relative reference stands for (RFC 3986 §5.1)
 * @returns `undefined` for text that is no URL
 */
export function parsePlainUrl(text: string | URL, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
