/**
 * `ProxyError`: the one error of the core, its codes with status and RFC 9209 type, and the error response.
 * @module
 */

import { answerJson } from "./answer.ts";
import { isFieldValue, isToken } from "./headers.ts";
import type { Reply } from "./reply.ts";

/**
 * Every error code. `ProxyError.status` is its HTTP status: 4xx means that the request is at fault, 502 and 504 the
 * target or the way to it, any other 5xx the proxy.
 */
export type ErrorCode =
  | "bad_request"
  | "token_missing"
  | "token_wrong"
  | "token_expired"
  | "token_revoked"
  | "forbidden"
  | "unconfirmed"
  | "address_prohibited"
  | "not_found"
  | "method_not_allowed"
  | "request_timeout"
  | "request_too_large"
  | "address_too_long"
  | "rate_limited"
  | "fields_too_large"
  | "caller_gone"
  | "internal"
  | "not_implemented"
  | "dns_error"
  | "unroutable"
  | "connection_refused"
  | "connection_terminated"
  | "tls_certificate"
  | "tls_protocol"
  | "malformed_answer"
  | "header_too_large"
  | "answer_too_large"
  | "too_many_redirects"
  | "upgrade_failed"
  | "upstream_refused"
  | "upstream_unauthorized"
  | "overloaded"
  | "proxy_stopped"
  | "unrecorded"
  | "dns_timeout"
  | "connection_timeout"
  | "response_timeout"
  | "loop";

const REQUEST = "http_request_error";
const DENIED = "http_request_denied";
const INTERNAL = "proxy_internal_error";
/** Code → status and `Proxy-Status` error type (RFC 9209 §2.3). A code without both does not compile. */
const FAILURES: Readonly<Record<ErrorCode, readonly [status: number, type: string]>> = {
  bad_request: [400, REQUEST],
  token_missing: [401, DENIED],
  token_wrong: [401, DENIED],
  token_expired: [401, DENIED],
  token_revoked: [401, DENIED],
  forbidden: [403, DENIED],
  unconfirmed: [403, DENIED],
  address_prohibited: [403, "destination_ip_prohibited"],
  not_found: [404, REQUEST],
  method_not_allowed: [405, REQUEST],
  request_timeout: [408, REQUEST],
  request_too_large: [413, REQUEST],
  address_too_long: [414, REQUEST],
  rate_limited: [429, DENIED],
  fields_too_large: [431, REQUEST],
  caller_gone: [499, REQUEST],
  internal: [500, INTERNAL],
  not_implemented: [501, REQUEST],
  dns_error: [502, "dns_error"],
  unroutable: [502, "destination_ip_unroutable"],
  connection_refused: [502, "connection_refused"],
  connection_terminated: [502, "connection_terminated"],
  tls_certificate: [502, "tls_certificate_error"],
  tls_protocol: [502, "tls_protocol_error"],
  malformed_answer: [502, "http_protocol_error"],
  header_too_large: [502, "http_response_header_section_size"],
  answer_too_large: [502, "http_response_body_size"],
  too_many_redirects: [502, "http_protocol_error"],
  upgrade_failed: [502, "http_upgrade_failed"],
  upstream_refused: [502, "destination_unavailable"],
  upstream_unauthorized: [502, "proxy_configuration_error"],
  overloaded: [503, "connection_limit_reached"],
  proxy_stopped: [503, INTERNAL],
  unrecorded: [503, INTERNAL],
  dns_timeout: [504, "dns_timeout"],
  connection_timeout: [504, "connection_timeout"],
  response_timeout: [504, "http_response_timeout"],
  loop: [508, "proxy_loop_detected"],
};

/**
 * The optional details of an error.
 *
 * @internal
 */
export interface ErrorDetails {
  /** The underlying failure: logged, never sent. */
  cause?: unknown;
  /** Extra fields of the response, lower-case, such as `allow` or `retry-after`. */
  headers?: Record<string, string> | undefined;
  /** The setting that would allow the request, such as `PRIVATE_TARGETS=auto,staging.example.com`. */
  setting?: string | undefined;
  /** What the message leaves out, for `Proxy-Status` and the log: without addresses, secrets and argument. */
  reason?: string | undefined;
  /** The settings that the texts name, as variables. Where settings are options, these words and no others are renamed. */
  names?: readonly string[];
}

/**
 * An error that the caller may read. Its message is the `detail` of the response, so it contains no IP address and no
 * OS text.
 *
 * Your own `resolve` or `send` may reject with one to choose the response.
 *
 * @example
 * ```ts
 * const send: Send = () => Promise.reject(new ProxyError("overloaded", "Cannot send: the line is busy, expected it idle"));
 * ```
 */
export class ProxyError extends Error {
  /** Identifies the class if `instanceof` can't. */
  override name = "ProxyError";
  /** The error code. */
  readonly code: ErrorCode;
  /** Extra fields of the response; none by default. */
  readonly headers: Record<string, string>;
  /** The setting that would allow the request; `undefined` if none would. */
  readonly setting: string | undefined;
  /** What the message leaves out; `undefined` if nothing. */
  readonly reason: string | undefined;
  /** The settings that the texts name, as variables. */
  readonly names: readonly string[];

  /**
   * Makes an error.
   *
   * @param message is shown to the caller: it must not contain IP addresses or secrets
   */
  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.headers = details.headers ?? {};
    this.setting = details.setting;
    this.reason = details.reason;
    this.names = details.names ?? [];
  }

  /** The HTTP status of the response. */
  get status(): number {
    return FAILURES[this.code][0];
  }
}

/**
 * The error for a part of the request that can't be used.
 *
 * @param what the part, such as `header proxy_host`
 * @param state what is wrong with it, such as `it is malformed`
 * @param expected what to send in its place, such as `one number`
 */
export function cannotUse(what: string, state: string, expected: string, details?: ErrorDetails): ProxyError {
  return new ProxyError("bad_request", `Cannot use ${what}: ${state}, expected ${expected}`, details);
}

/** The error for a target that is not reached. `state` says why, such as `there is no route to it`. */
export function cannotReach(
  code: ErrorCode,
  host: string,
  state: string,
  details?: ErrorDetails,
): ProxyError {
  return new ProxyError(code, `Cannot reach ${host}: ${state}`, details);
}

/** What users of `curl -x` must know. */
export const NO_FORWARD_PROXY: string = "fetchvia is no forward proxy (curl -x, HTTPS_PROXY). " +
  "Send the request to fetchvia itself, with the field proxy_host: https://example.com";

/** True if the target or the way to it failed; false for refusals and closed client connections. */
export function isTargetFailure(code: ErrorCode): boolean {
  const [status] = FAILURES[code];
  return status === 502 || status === 504;
}

/** The title of the error object (rule 6.1). */
export type ErrorTitle = "Fetch API Error" | "Proxy Error";

/**
 * Makes the error response: exactly `title` and `detail`, plus `Proxy-Status` (RFC 9209).
 *
 * @param forSdk true to add `error` (rule 21.1)
 */
export function answerError(error: ProxyError, title: ErrorTitle, forSdk = false): Reply {
  const { code, message, status, headers } = error;
  const type = FAILURES[code][1];
  const body = { title, detail: message, ...(forSdk && { error: { message, type, code } }) };
  return answerJson(body, status, Object.entries({ ...headers, ...proxyStatusOf(error) }));
}

/** `Proxy-Status` of an error: its type, and what it is in `details` (rule 21.2). */
export function proxyStatusOf({ code, reason, message }: ProxyError): { "proxy-status": string } {
  return { "proxy-status": `fetchvia; error=${FAILURES[code][1]}; ${formatDetails(reason ?? message)}` };
}

/** Callers choose names and hosts in messages, up to 60 KB. */
const MAX_DETAILS = 512;

/** The parameter `details`: a string of printable ASCII, other characters as `?` (RFC 9209 §2.1.5, RFC 9651 §3.3.3). */
export function formatDetails(text: string): string {
  const shown = text.length > MAX_DETAILS ? `${text.slice(0, MAX_DETAILS)}...` : text;
  return `details="${shown.replace(/[^ -~]/gu, "?").replace(/["\\]/g, "\\$&")}"`;
}

/**
 * Converts any error to one that the caller may read. An unknown error stays in `cause`, and so does a `ProxyError` of others
 * with an unknown code or a malformed header.
 */
export function toProxyError(error: unknown): ProxyError {
  if (error instanceof ProxyError && isSound(error)) return error;
  return new ProxyError("internal", "Internal proxy error", { cause: error });
}

function isSound({ code, headers }: ProxyError): boolean {
  return Object.hasOwn(FAILURES, code) &&
    Object.entries(headers).every(([name, value]) => isToken(name) && isFieldValue(String(value)));
}

/**
 * Refuses other methods than these for a page of the proxy's own.
 *
 * @throws {ProxyError} `method_not_allowed`
 */
export function checkMethod(method: string, ...allowed: readonly string[]): void {
  if (allowed.includes(method)) return;
  const allow = allowed.join(", ");
  const message = `Cannot use method ${method} here, expected ${allow}`;
  throw new ProxyError("method_not_allowed", message, { headers: { allow } });
}
