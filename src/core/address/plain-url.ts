/**
 * Parses text as a URL, as the engine does. The client, which runs in callers, uses it too.
 * @module
 */

/**
 * Parses as `new URL` does. It does not call `URL.canParse` first: once compiled, after some thousands of calls, that of one
 * engine refuses all text with characters from U+0080 to U+00FF.
 *
 * @param base the address that a relative reference starts from (RFC 3986 §5.1)
 * @returns `undefined` for text that is no URL
 */
export function parsePlainUrl(text: string | URL, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** One address, however it is written, without user and password. */
export function hideUserinfo(address: string): string {
  return address.replace(/(\/\/|^\s*(?:[a-z]+:[\\/]{0,3}|\\\\))[^/?#]*@/gi, "$1***@");
}
