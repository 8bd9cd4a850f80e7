/**
 * Errors of a request body: stalled, too large, malformed, truncated, not taken by the target, or not sent by the runtime.
 * @module
 */

import { ProxyError } from "./error.ts";
import { isLook } from "./headers.ts";

/** The request body stalled: 408 (RFC 9110 §15.5.9). */
export function uploadStalled(idleMs: number): ProxyError {
  return new ProxyError(
    "request_timeout",
    `Cannot read the request body: no bytes arrived for ${idleMs} ms`,
  );
}

/** The target takes nothing of the request body: 504. */
export function uploadUntaken(host: string): ProxyError {
  return new ProxyError(
    "response_timeout",
    `Cannot send the request body to ${host}: it took no more of it within the idle timeout`,
  );
}

/** The request body is too large: 413 (RFC 9110 §15.5.14). */
export function uploadTooLarge(maxBytes: number): ProxyError {
  return new ProxyError(
    "request_too_large",
    `Cannot take the request body: it is too large (limit ${maxBytes} bytes)`,
  );
}

/**
 * Maps the error of a failed request body: 413 if a framework takes none this large, 400 if it is malformed, otherwise the
 * client closed the connection. A `ProxyError` stays.
 */
export function readFault(failure: unknown): ProxyError {
  if (failure instanceof ProxyError) return failure;
  // SvelteKit ends a body that is above its own limit with this.
  if ((failure as { status?: unknown } | null)?.status === 413) {
    const message = "Cannot take the request body: the server in front of the proxy takes none this large";
    return new ProxyError("request_too_large", message, { cause: failure });
  }
  // If the server parses while the body is read, only this text distinguishes a malformed chunk from a closed
  // connection.
  if (failure instanceof Error && /^invalid HTTP/.test(failure.message)) {
    const message = "Cannot read the request body: its framing is not valid HTTP/1.1";
    return new ProxyError("bad_request", message, { cause: failure });
  }
  const message = "The request body ended early";
  return new ProxyError("caller_gone", message, { cause: failure });
}

/** Refuses a body that the `fetch` of a runtime would not send. */
export function refuseUnsentBody(method: string, body: unknown): void {
  if (body === null || !isLook(method)) return;
  const message = `Cannot forward a body with ${method}: this runtime cannot send one. Leave the body out`;
  throw new ProxyError("bad_request", message);
}
