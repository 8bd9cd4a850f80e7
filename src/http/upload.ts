/**
 * What goes wrong on the caller's side, with the body that it sends or because it leaves.
 * @module
 */

import { ProxyError } from "./error.ts";
import type { FieldReader } from "./fields.ts";

/** The caller sends nothing more: 408 (RFC 9110 §15.5.9). */
export function uploadStalled(idleMs: number): ProxyError {
  return new ProxyError(
    "request_timeout",
    `Cannot read the request body: no bytes arrived for ${idleMs} ms`,
  );
}

/** The caller sends too much: 413 (RFC 9110 §15.5.14). */
export function uploadTooLarge(maxBytes: number): ProxyError {
  return new ProxyError(
    "request_too_large",
    `Cannot take the request body: it is too large (limit ${maxBytes} bytes)`,
  );
}

/**
 * Refuses a body that is announced as too large.
 *
 * @param maxBytes 0 for no limit
 * @throws {ProxyError} `request_too_large`
 */
export function checkLength(headers: FieldReader, maxBytes: number): void {
  if (maxBytes > 0 && Number(headers.get("content-length") ?? 0) > maxBytes) throw uploadTooLarge(maxBytes);
}

/**
 * The fault behind a body that fails while it is read: 400 where it is malformed, which the caller may still hear, and else
 * a caller who has left. A `ProxyError` stays what it is.
 */
export function readFault(failure: unknown): ProxyError {
  if (failure instanceof ProxyError) return failure;
  // A server that parses while the body is read has only these words to tell a malformed chunk from a connection that ends.
  if (failure instanceof Error && /^invalid HTTP/.test(failure.message)) {
    const message = "Cannot read the request body: its framing is not valid HTTP/1.1";
    return new ProxyError("bad_request", message, { cause: failure });
  }
  const message = "The request body ended early";
  return new ProxyError("caller_gone", message, { cause: failure });
}
