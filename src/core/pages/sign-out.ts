/**
 * `/__proxy__/sign-out`: forgets the token of a browser.
 * @module
 */

import { ProxyError } from "../http/error.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { keepToken } from "../may/token-cookie.ts";
import type { Reply } from "../http/reply.ts";
import { RESERVED } from "../address/reserved-paths.ts";
import { hasProof } from "./page-proof.ts";

/**
 * Expires the cookie. Only the console may ask: a page of a target shares its origin.
 *
 * @throws {ProxyError} `method_not_allowed`, or `forbidden` without the console's proof
 */
export async function answerSignOut(exchange: Exchange): Promise<Reply> {
  const { method } = exchange.incoming;
  if (method !== "POST") {
    const message = `Cannot use method ${method} here, expected POST`;
    throw new ProxyError("method_not_allowed", message, { headers: { allow: "POST" } });
  }
  if (!await hasProof(exchange)) {
    throw new ProxyError("forbidden", "Cannot sign out: only the console may ask for it. Open /__proxy__/");
  }
  return keepToken(exchange, "", `${RESERVED}/`);
}
