/**
 * Says why a TLS handshake failed or a certificate was refused, and what to do about it.
 * @module
 */

import type { ErrorCode } from "./error.ts";

/** What the settings require of a target's TLS. */
export interface TlsTerms {
  /** True if a table of targets is in use: then the text names the member that fixes the failure. */
  readonly hasTable: boolean;
  /** The oldest version that the table allows, as `node:tls` names it; TLS 1.2 if absent. */
  readonly minVersion?: string | undefined;
}

/** A reason, and how to fix it. */
interface Fault {
  /**
   * Codes of OpenSSL and BoringSSL, and those of a refused certificate; texts of rustls, whose code is that of a refused
   * handshake for most reasons, and of a `fetch` without codes.
   */
  pattern: RegExp;
  state: string;
  /** How to fix it with the settings. */
  remedy?: string;
  /** How to fix it in the table of targets; `remedy` if absent. */
  inTable?: string;
}

const CERTIFICATE = "its TLS certificate";
const UNCHECKED = "set NODE_TLS_REJECT_UNAUTHORIZED=0 to check no target";
const EXTRA = "start the proxy with NODE_EXTRA_CA_CERTS=<PEM file with it>";
/** Where to find a member of the table, for messages. */
const ENTRY = "in the entry of this target in the table of targets";
/** The same where there is no table. */
const NEW_ENTRY = "for it in a table of targets (TARGETS)";
const TO_ALLOW = "To allow that, set minVersion to TLSv1.1";
/** How to accept keys and digests that the runtime's TLS takes for weak. */
const WEAK = { remedy: `${TO_ALLOW} ${NEW_ENTRY}`, inTable: `${TO_ALLOW} ${ENTRY}` };
const INSECURE = `set insecure ${ENTRY}`;
const CA = `set ca ${ENTRY} to a PEM file with it`;

/** Error texts of rustls, which supports no TLS before 1.2. */
const RUSTLS = /fatal alert: |peer is incompatible/;
const OLD =
  /ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|alert: ProtocolVersion|ServerDoesNotSupportTls12Or13|ServerTlsVersionIsDisabled/;

/** Faults of handshakes. The first match wins. */
const OF_HANDSHAKES: readonly Fault[] = [
  {
    pattern: /UNSAFE_LEGACY_RENEGOTIATION|KEY_TOO_SMALL|MD_TOO_WEAK|LEGACY_SIGALG/,
    state: "its TLS has short keys, old digests or no secure renegotiation (RFC 5746)",
    ...WEAK,
  },
  {
    pattern: /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNEXPECTED_RECORD|InvalidContentType/,
    state: "it does not speak https: what it sent is no TLS",
    remedy: "Check scheme and port",
  },
  {
    pattern: /UNRECOGNI[SZ]ED_?NAME/i,
    state: "it does not know the name in the TLS handshake",
    remedy: "Check the name",
    inTable: `To give it another, set serverName ${ENTRY}`,
  },
  {
    pattern: /NO_?APPLICATION_?PROTOCOL/i,
    state: "it speaks https, but not HTTP/1.1",
    remedy: "Check the port",
  },
  {
    pattern: /HANDSHAKE_?FAILURE|INSUFFICIENT_?SECURITY/i,
    state: "the TLS handshake failed: the target refused it",
    remedy: "It may have no cipher in common with this proxy",
    inTable:
      `It may have no cipher in common with this proxy. If it asks for a client certificate, set cert and key ${ENTRY}`,
  },
  { pattern: /_ALERT_|fatal alert: /, state: "the TLS handshake failed: the target broke it off" },
];

/** Faults of certificates. Each names its own subject, because it may be in another certificate than the target's. */
const OF_CERTIFICATES: readonly Fault[] = [
  {
    pattern: /CERT_HAS_EXPIRED|certificate:? (?:has )?expired/i,
    state: `${CERTIFICATE} has expired`,
    remedy: `Renew it, or ${UNCHECKED}`,
    inTable: `Renew it, or ${INSECURE}`,
  },
  {
    pattern: /CERT_NOT_YET_VALID|NotValidYet|not (?:valid yet|yet valid)/i,
    state: `${CERTIFICATE} is not yet valid`,
    remedy: `Check both clocks, or ${UNCHECKED}`,
    inTable: `Check both clocks, or ${INSECURE}`,
  },
  {
    pattern: /ALTNAME_INVALID|HOSTNAME_MISMATCH|NotValidForName|not valid for name/i,
    state: `${CERTIFICATE} has the wrong name`,
    remedy: `Use a name that it lists, or ${UNCHECKED}`,
    inTable: `Use a name that it lists, or set serverName to one ${ENTRY}`,
  },
  {
    pattern: /DEPTH_ZERO_SELF_SIGNED_CERT/,
    state: `${CERTIFICATE} is self-signed`,
    remedy: `To trust it, ${EXTRA}`,
    inTable: `To trust it, ${CA}`,
  },
  {
    pattern: /SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:VERIFY|GET_ISSUER)|CERT_UNTRUSTED|UnknownIssuer/i,
    state: `${CERTIFICATE} is from an unknown authority, or the target does not send its issuers`,
    remedy: `To trust an authority, ${EXTRA}`,
    inTable: `To trust an authority, ${CA}`,
  },
  {
    pattern: /too weak/,
    state: `${CERTIFICATE} or its issuer's is too weak`,
    ...WEAK,
  },
  {
    pattern: /^CERT_WEAK$/,
    state: `${CERTIFICATE} is too weak, such as RSA of 1024 bits or SHA-1, and no setting allows that here`,
    remedy: "Renew it",
  },
  {
    pattern: /^CERT_PIN_MISMATCH$/,
    state: `${CERTIFICATE} is revoked by pin: the table of targets pins other keys`,
    remedy: `If the target has a new key, add its digest to pin ${ENTRY}`,
  },
  {
    pattern: /ALERT_CERTIFICATE_REQUIRED|CertificateRequired/,
    state: "it asks for a client certificate",
    remedy: `Set cert and key ${ENTRY}`,
  },
  {
    pattern: /ALERT_(?:(?:BAD|UNSUPPORTED)_CERTIFICATE|CERTIFICATE_(?:EXPIRED|REVOKED|UNKNOWN)|UNKNOWN_CA)$/,
    state: "it refuses the client certificate of this proxy",
    remedy: `Set cert and key to ones that it knows ${ENTRY}`,
  },
  {
    pattern: /^CERT_UNUSABLE$/,
    state: "the certificates of its entry in the table of targets can't be read",
    remedy: "Correct ca, cert and key there",
  },
];

/**
 * Describes a TLS failure.
 *
 * @param texts codes, names and messages of the failure, best first
 * @param terms absent for a connection that no table applies to
 * @returns `undefined` if there is nothing to say beyond the error code
 */
export function describeTlsFault(
  code: ErrorCode,
  texts: readonly string[],
  terms?: TlsTerms,
): string | undefined {
  const fits = (pattern: RegExp) => texts.some((text) => pattern.test(text));
  if (code === "tls_certificate") {
    const faults = texts.map((text) => OF_CERTIFICATES.find(({ pattern }) => pattern.test(text)));
    return adviseOn(faults.find(Boolean), terms);
  }
  if (code !== "tls_protocol") return undefined;
  if (fits(OLD)) return describeOldTls(terms, fits(RUSTLS));
  return adviseOn(OF_HANDSHAKES.find(({ pattern }) => fits(pattern)), terms);
}

function adviseOn(fault: Fault | undefined, terms: TlsTerms | undefined): string | undefined {
  if (!fault) return undefined;
  const { state, remedy, inTable = remedy } = fault;
  const advice = terms?.hasTable ? inTable : remedy;
  return advice ? `${state}. ${advice}` : state;
}

const NAMES: Readonly<Record<string, string>> = {
  TLSv1: "TLS 1.0",
  "TLSv1.1": "TLS 1.1",
  "TLSv1.3": "TLS 1.3",
};

/** @param isOldest true if the runtime supports nothing older than TLS 1.2 */
function describeOldTls(terms: TlsTerms | undefined, isOldest: boolean): string {
  const { hasTable, minVersion = "TLSv1.2" } = terms ?? {};
  const state = `it speaks only an older TLS, expected ${NAMES[minVersion] ?? "TLS 1.2"} or later`;
  if (!terms) return state;
  if (minVersion === "TLSv1" || (isOldest && minVersion !== "TLSv1.3")) {
    return `${state}. No older one is spoken here`;
  }
  return `${state}. To allow it, set minVersion ${hasTable ? ENTRY : NEW_ENTRY}`;
}
