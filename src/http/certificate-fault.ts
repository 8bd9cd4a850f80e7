/**
 * Says what is wrong with a target's TLS certificate, and what to do about it.
 * @module
 */

const UNCHECKED = "set NODE_TLS_REJECT_UNAUTHORIZED=0 to check no target";

/** Codes of a refused certificate, and the words of a `fetch` without codes → what it means. */
const FAULTS: readonly (readonly [RegExp, string])[] = [
  [/CERT_HAS_EXPIRED|certificate:? (?:has )?expired/i, `has expired. Renew it, or ${UNCHECKED}`],
  [
    /CERT_NOT_YET_VALID|NotValidYet|not (?:valid yet|yet valid)/i,
    `is not yet valid. Check both clocks, or ${UNCHECKED}`,
  ],
  [
    /ALTNAME_INVALID|HOSTNAME_MISMATCH|NotValidForName|not valid for name/i,
    `has the wrong name. Use a name that it lists, or ${UNCHECKED}`,
  ],
  [
    /DEPTH_ZERO_SELF_SIGNED_CERT/,
    "is self-signed. To trust it, start the proxy with NODE_EXTRA_CA_CERTS=<PEM file with it>",
  ],
  [
    /SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:VERIFY|GET_ISSUER)|CERT_UNTRUSTED|UnknownIssuer/i,
    "is from an unknown authority, or the target does not send its issuers. To trust an authority, start the proxy " +
    "with NODE_EXTRA_CA_CERTS=<PEM file with it>",
  ],
];

/** For other reasons, such as a revoked certificate or one for another purpose. */
const OTHER = "is not valid, expected one for this host from a known authority";

/**
 * Describes a refused certificate.
 *
 * @param texts codes, names and messages of the failure, best first
 */
export function describeCertificateFault(texts: readonly string[]): string {
  for (const text of texts) {
    const fault = FAULTS.find(([pattern]) => pattern.test(text))?.[1];
    if (fault) return `its TLS certificate ${fault}`;
  }
  return `its TLS certificate ${OTHER}`;
}
