/**
 * Pins: digests of the public key in a target's certificate (RFC 7469 §2.4).
 * @module
 */

import type { Buffer } from "node:buffer";
import { createHash } from "node:crypto";

/** Context-specific tag of the version, which may be missing (RFC 5280 §4.1). */
const VERSION = 0xa0;
/** Serial number, algorithm, issuer, validity and subject stand before the key. */
const PARTS_BEFORE_KEY = 5;

/** A part of DER (X.690 §8.1): where it starts, where its content starts, and where it ends. */
interface Part {
  start: number;
  content: number;
  end: number;
}

/**
 * The pin of a certificate: `sha256/` and the Base64 of the digest of its SubjectPublicKeyInfo, byte for byte as it
 * stands there.
 *
 * @param der the certificate
 */
export function pinOf(der: Buffer): string {
  const body = readPart(der, readPart(der, 0).content);
  let part = readPart(der, body.content);
  if (der[part.start] === VERSION) part = readPart(der, part.end);
  for (let passed = 0; passed < PARTS_BEFORE_KEY; passed += 1) part = readPart(der, part.end);
  return `sha256/${createHash("sha256").update(der.subarray(part.start, part.end)).digest("base64")}`;
}

function readPart(der: Buffer, start: number): Part {
  const first = der[start + 1] ?? 0;
  const digits = first < 0x80 ? 0 : first & 0x7f;
  const content = start + 2 + digits;
  const length = digits === 0 ? first : der.readUIntBE(start + 2, digits);
  return { start, content, end: content + length };
}
