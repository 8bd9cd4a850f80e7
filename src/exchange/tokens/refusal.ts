/**
 * The error for a caller's token that can't be used.
 * @module
 */

import { ProxyError } from "../../http/error.ts";

/**
 * Makes the error.
 *
 * @param state what is wrong, such as `it has expired`
 * @see RFC 6750 §3.1
 */
export function refuseToken(state: string, action: string): ProxyError {
  return new ProxyError("token_missing", `Cannot use this caller's token: ${state}. ${action}`, {
    headers: { "www-authenticate": 'Bearer realm="fetchvia", error="invalid_token"' },
  });
}
