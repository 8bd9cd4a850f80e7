/**
 * The error for a caller's token that can't be used.
 * @module
 */

import { type ErrorCode, ProxyError } from "../../core/http/error.ts";

/** What is wrong with a token. */
export interface TokenFault {
  readonly code: ErrorCode & `token_${string}`;
  /** What is wrong, such as `it has expired`. */
  readonly state: string;
  /** The id in the token; only if its signature is valid. */
  readonly id?: string;
}

/** The error for a token that can't be used; the log names the id. */
export class TokenRefusal extends ProxyError {
  /** `undefined` if the token may be forged. */
  readonly id: string | undefined;

  /** @see RFC 6750 §3.1 */
  constructor({ code, state, id }: TokenFault, action: string) {
    super(code, `Cannot use this caller's token: ${state}. ${action}`, {
      headers: { "www-authenticate": 'Bearer realm="fetchvia", error="invalid_token"' },
    });
    this.id = id;
  }
}
