/**
 * What goes wrong with the body that a caller sends.
 * @module
 */

import { ProxyError } from "./error.ts";

/** The caller sends nothing more: 408 (RFC 9110 §15.5.9). */
export function uploadStalled(idleMs: number): ProxyError {
  return new ProxyError(
    "request_timeout",
    `Cannot read the request: its body stalled, expected bytes within ${idleMs} ms`,
  );
}

/** The caller sends too much: 413 (RFC 9110 §15.5.14). */
export function uploadTooLarge(maxBytes: number): ProxyError {
  return new ProxyError(
    "request_too_large",
    `Cannot take the request: its body is too large, expected at most ${maxBytes} bytes`,
  );
}
