/**
 * Pins: digests of the public key in a target's certificate (RFC 7469 §2.4).
 * @module
 */

import { createHash, type X509Certificate } from "node:crypto";

/**
 * The pin of a certificate: `sha256/` and the Base64 of the digest of its SubjectPublicKeyInfo.
 *
 * Uses the key that the platform's TLS has parsed. A parser of our own could be made to see another key, with lengths that
 * only one of the two parsers understands.
 *
 * @returns `undefined` if the platform does not support this kind of key
 */
export function pinOf(certificate: X509Certificate): string | undefined {
  try {
    const key = certificate.publicKey.export({ type: "spki", format: "der" });
    return `sha256/${createHash("sha256").update(key).digest("base64")}`;
  } catch {
    return undefined;
  }
}
