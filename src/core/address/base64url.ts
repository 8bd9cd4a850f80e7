/**
 * Encodes and decodes Base64url, which needs no percent-encoding in an address.
 * @module
 * @see RFC 4648 §5
 */

/** Encodes without padding. */
export function encodeBase64url(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/={1,2}$/, "");
}

/** Encodes as plain Base64, with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Decodes text without padding, also plain Base64; `undefined` for anything else. */
export function decodeBase64url(digits: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/_-]*$/.test(digits) || digits.length % 4 === 1) return undefined;
  const binary = atob(digits.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
