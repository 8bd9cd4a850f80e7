/**
 * Signed links: HMAC-SHA-256 over path and query as sent, without `&sig=…` (rule 5.10).
 * @module
 * @see RFC 2104 (HMAC)
 */

import { encodeUtf8 } from "../http/text.ts";
import { encodeBase64url } from "./base64url.ts";

const keys = new Map<string, CryptoKey>();

/**
 * Signs path and query of a link.
 *
 * @param path from its `/` on, with `exp` if the link is to expire
 * @returns Base64url without padding, to be appended as `&sig=…`
 */
export async function signLink(path: string, signingKey: string): Promise<string> {
  const bytes = new Uint8Array(
    await crypto.subtle.sign("HMAC", await importKey(signingKey), encodeUtf8(path)),
  );
  return encodeBase64url(bytes);
}

/** Caches the key itself, not its promise: on some platforms one request can't await a promise of another. */
export async function importKey(text: string): Promise<CryptoKey> {
  const known = keys.get(text);
  if (known) return known;
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encodeUtf8(text), algorithm, false, [
    "sign",
    "verify",
  ]);
  keys.set(text, key);
  return key;
}
