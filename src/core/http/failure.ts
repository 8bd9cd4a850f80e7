/**
 * Maps runtime errors to `ProxyError`.
 * @module
 */

import { cannotReach, type ErrorCode, ProxyError } from "./error.ts";

// Codes of connections, of our own response parser (`HPE_…`), and of each `fetch` that the portable sender may use.
const CODES: { readonly [Code in ErrorCode]?: readonly string[] } = {
  dns_error: ["ENOTFOUND", "EAI_AGAIN", "EAI_FAIL", "EAI_NODATA", "ENODATA", "ESERVFAIL"],
  dns_timeout: ["ETIMEOUT"],
  connection_refused: ["ECONNREFUSED", "ConnectionRefused"],
  unroutable: ["ENETUNREACH", "EHOSTUNREACH", "EADDRNOTAVAIL"],
  connection_terminated: ["ECONNRESET", "ConnectionClosed", "EPIPE", "ECONNABORTED", "UND_ERR_SOCKET"],
  overloaded: ["EMFILE", "ENFILE", "ENOBUFS"],
  connection_timeout: ["ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT"],
  response_timeout: ["UND_ERR_HEADERS_TIMEOUT", "TimeoutError"],
  header_too_large: ["HPE_HEADER_OVERFLOW", "UND_ERR_HEADERS_OVERFLOW"],
  tls_protocol: ["EPROTO"],
  malformed_answer: [
    "HTTPParserError",
    "UnrequestedUpgrade",
    "InvalidHTTPResponse",
    "Malformed_HTTP_Response",
  ],
};
const CODE_OF = new Map(
  Object.entries(CODES).flatMap(([code, names]) => names.map((name) => [name, code as ErrorCode])),
);

// Families of codes, and message texts of a `fetch` without codes.
const PATTERNS: readonly (readonly [RegExp, ErrorCode])[] = [
  [/^HPE_|malformed|invalid http|http (?:version|header) parsed/i, "malformed_answer"],
  // `UNSPECIFIED` is what `node:tls` says of a certificate for most reasons that have no code of their own.
  [
    /CERT|ISSUER|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|ALERT_UNKNOWN_CA|invalid peer certificate|^UNSPECIFIED$|^PATH_LENGTH/i,
    "tls_certificate",
  ],
  [/^ERR_(?:SSL|TLS)|^SSL|tls|handshake/i, "tls_protocol"],
  [/dns error/i, "dns_error"],
  [/refused/i, "connection_refused"],
  [/timed out/i, "connection_timeout"],
  [/unreachable/i, "unroutable"],
  [/reset|closed|aborted|terminated|broken pipe/i, "connection_terminated"],
];

const STATES: Partial<Record<ErrorCode, string>> = {
  dns_error: "its name does not resolve. Check the name",
  dns_timeout: "DNS did not answer in time",
  connection_refused: "it refused the connection. Check that a server listens there",
  connection_terminated: "it closed the connection before the response was complete",
  connection_timeout: "it did not accept the connection in time",
  unroutable: "there is no route to it",
  tls_certificate: "its TLS certificate is not valid, expected one for this host from a known authority",
  tls_protocol: "the TLS handshake failed. Check that it speaks https",
  header_too_large: "its response headers are too large (limit 64 KiB)",
  malformed_answer: "its response is not valid HTTP/1.1",
  overloaded: "this proxy cannot open more connections. Retry later",
};

const UPGRADE = "UnrequestedUpgrade";
const UPGRADED = "it answered 101 to a request without an upgrade, expected 200 to 599";
const LATE = "it sent no response headers in time";

/** Describes a TLS failure in more detail; `undefined` if there is nothing to add. */
export type DescribeTls = (code: ErrorCode, texts: readonly string[]) => string | undefined;

/**
 * Maps a failed request to the error for the caller. The runtime's own text stays in `cause`.
 *
 * @param host host and port of the target, as the caller wrote them
 * @param describeTls describes a TLS failure in detail; by default the text is general
 */
export function mapFailure(failure: unknown, host: string, describeTls?: DescribeTls): ProxyError {
  if (failure instanceof ProxyError) return failure;
  const texts = describe(failure);
  const code = readCode(texts);
  const state = describeTls?.(code, texts) ?? (texts.includes(UPGRADE) ? UPGRADED : STATES[code] ?? LATE);
  const headers = code === "overloaded" ? { "retry-after": "1" } : undefined;
  return cannotReach(code, host, state, { cause: failure, headers, names: ["TARGETS"] });
}

function readCode(texts: string[]): ErrorCode {
  for (const text of texts) {
    const code = CODE_OF.get(text) ?? PATTERNS.find(([pattern]) => pattern.test(text))?.[1];
    if (code) return code;
  }
  return "connection_terminated";
}

/** The texts that identify a failure, best first: codes along the chain of causes, then names, then messages. */
function describe(failure: unknown): string[] {
  const chain: { code?: unknown; name?: unknown; message?: unknown; errors?: unknown[] }[] = [];
  for (let error = failure; typeof error === "object" && error !== null && chain.length < 5;) {
    const link = error as { cause?: unknown; errors?: unknown[] };
    chain.push(link);
    error = link.cause ?? link.errors?.[0];
  }
  return (["code", "name", "message"] as const)
    .flatMap((key) => chain.map((link) => link[key]))
    .filter((value) => typeof value === "string")
    // Addresses and random ids are removed, because only the reason counts.
    .map((text) => text.replace(/\(?https?:\/\/\S+|reference = \w+/g, ""));
}
