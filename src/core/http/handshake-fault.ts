/**
 * Says why a TLS handshake failed, and what to do about it.
 * @module
 */

import { describeCertificateFault, ENTRY, NEW_ENTRY, WEAK } from "./certificate-fault.ts";
import type { ErrorCode } from "./error.ts";

/** What the settings require of a target's TLS. */
export interface TlsTerms {
  /** True if a table of targets is in use: then the text names the member that fixes the failure. */
  readonly hasTable: boolean;
  /** The oldest version that the table allows, as `node:tls` names it; TLS 1.2 if absent. */
  readonly minVersion?: string | undefined;
}

/** A reason why a handshake failed. */
interface Fault {
  /** Codes of OpenSSL and BoringSSL; texts of rustls, whose code is that of a refused handshake for most reasons. */
  pattern: RegExp;
  state: string;
  /** How to fix it, without a table and with one. */
  remedy?: string;
  inTable?: string;
}

/** Error texts of rustls, which supports no TLS before 1.2. */
const RUSTLS = /fatal alert: |peer is incompatible/;
const OLD =
  /ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|alert: ProtocolVersion|ServerDoesNotSupportTls12Or13|ServerTlsVersionIsDisabled/;

/** The first match wins. */
const FAULTS: readonly Fault[] = [
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
  if (code === "tls_certificate") return describeCertificateFault(texts, terms?.hasTable);
  if (code !== "tls_protocol") return undefined;
  const fits = (pattern: RegExp) => texts.some((text) => pattern.test(text));
  if (fits(OLD)) return describeOldTls(terms, fits(RUSTLS));
  const fault = FAULTS.find(({ pattern }) => fits(pattern));
  if (!fault) return undefined;
  const remedy = terms?.hasTable ? fault.inTable ?? fault.remedy : fault.remedy;
  return remedy ? `${fault.state}. ${remedy}` : fault.state;
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
