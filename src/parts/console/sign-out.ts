/**
 * `/__proxy__/sign-out`: forgets the token of a browser.
 * @module
 */

import { checkMethod, ProxyError } from "../../core/http/error.ts";
import type { Exchange } from "../../core/exchange/exchange.ts";
import { keepToken } from "../../core/may/token-duty.ts";
import type { Reply } from "../../core/http/reply.ts";
import { RESERVED } from "../../core/address/reserved-paths.ts";
import { hasProof } from "../../core/pages/page-proof.ts";

/**
 * Expires the cookie. Only the console may ask: a page of a target shares its origin.
 *
 * @throws {ProxyError} `method_not_allowed`, or `forbidden` without the console's proof
 */
export async function answerSignOut(exchange: Exchange): Promise<Reply> {
  checkMethod(exchange.incoming.method, "POST");
  if (!await hasProof(exchange)) {
    throw new ProxyError("forbidden", "Cannot sign out: only the console may ask for it. Open /__proxy__/");
  }
  return keepToken(exchange, "", `${RESERVED}/`);
}
