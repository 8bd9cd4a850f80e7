/**
 * Checks the TLS members of the table of targets when it is read: certificates, keys and versions (rules 12.1, 12.4).
 * @module
 */

import type { KeyObject, X509Certificate } from "node:crypto";
import type { TargetTls } from "../../core/address/route.ts";
import type { TlsFault } from "../../parts/gate/targets/keys.ts";
import { nodeCrypto } from "../../wire/tls/late-modules.ts";

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The versions that rustls, in Deno, does not support (RFC 8996). */
const OLD: ReadonlySet<unknown> = new Set(["TLSv1", "TLSv1.1"]);

/**
 * Finds the first member that can't be used; `undefined` if all can be.
 *
 * @param isDeno true if the table would be used on Deno
 */
export function findTlsFault(
  { ca, cert, key, minVersion }: TargetTls,
  isDeno: boolean = process.versions["deno"] !== undefined,
): TlsFault | undefined {
  if (isDeno && OLD.has(minVersion)) {
    const expected = "TLSv1.2 or TLSv1.3 on Deno, which speaks no older TLS. Bun and Node do";
    return { member: "minVersion", expected };
  }
  if (ca !== undefined && !readCertificates(ca)) return unreadable("ca", "certificate");
  const [own] = cert === undefined ? [] : readCertificates(cert) ?? [];
  if (cert !== undefined && !own) return unreadable("cert", "certificate");
  const ownKey = key === undefined ? undefined : readKey(key);
  if (key !== undefined && !ownKey) return unreadable("key", "private key without a password");
  if (!own || !ownKey || own.checkPrivateKey(ownKey)) return undefined;
  return { member: "key", expected: "the private key of cert" };
}

function unreadable(member: TlsFault["member"], what: string): TlsFault {
  return { member, expected: `a PEM file with a ${what} that can be read` };
}

function readCertificates(text: string): X509Certificate[] | undefined {
  try {
    const { X509Certificate: Certificate } = nodeCrypto();
    return text.match(CERTIFICATES)?.map((pem) => new Certificate(pem));
  } catch {
    return undefined;
  }
}

function readKey(text: string): KeyObject | undefined {
  try {
    return nodeCrypto().createPrivateKey(text);
  } catch {
    return undefined;
  }
}
