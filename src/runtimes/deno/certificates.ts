/**
 * Loads the certificates of NODE_EXTRA_CA_CERTS on Deno.
 * @module
 */

import { X509Certificate } from "node:crypto";
import tls from "node:tls";

/** Functions of `node:tls` that Node 20 lacks. */
interface Authorities {
  getCACertificates(which: "default" | "extra"): string[];
  setDefaultCACertificates(certificates: readonly string[]): void;
}

/**
 * Deno (2.9) accepts a self-signed certificate from NODE_EXTRA_CA_CERTS in `node:https` only, and authorities
 * everywhere.
 */
export function loadExtraCertificates(): void {
  if (!process.env["NODE_EXTRA_CA_CERTS"]) return;
  const authorities = tls as unknown as Authorities;
  const namesHost = (certificate: string) =>
    /\b(?:DNS|IP Address):/.test(new X509Certificate(certificate).subjectAltName ?? "");
  // Only if needed, because it makes Deno parse every CA again (10 ms per connection).
  if (authorities.getCACertificates("extra").some(namesHost)) {
    authorities.setDefaultCACertificates(authorities.getCACertificates("default"));
  }
}
