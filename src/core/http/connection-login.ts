/**
 * Recognises the authentication schemes whose login holds for a whole connection, not for one request.
 * @module
 * @see RFC 4559 §6 (Negotiate, and NTLM likewise), RFC 9110 §11.1
 */

import { ProxyError } from "./error.ts";

/** A scheme may begin anywhere in a list of challenges. A false match costs a connection, a missed one a login. */
const SCHEME = /(?:^|,)[ \t]*(?:ntlm|negotiate)\b/i;

/** True for a value of `Authorization` or `WWW-Authenticate` with such a scheme. */
export function isConnectionLogin(value: string | null): boolean {
  return value !== null && SCHEME.test(value);
}

/**
 * Refuses a connection login where connections are shared, as they are with every `fetch`.
 *
 * @param authorization the field that would be sent
 * @throws {ProxyError} `not_implemented`
 */
export function refuseConnectionLogin(authorization: string | null): void {
  if (!isConnectionLogin(authorization)) return;
  throw new ProxyError(
    "not_implemented",
    "Cannot log in by NTLM or Negotiate: the login would hold for a connection that this runtime shares between callers",
  );
}
