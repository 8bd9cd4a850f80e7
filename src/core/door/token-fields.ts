/**
 * Which fields can carry a token, and whether one is needed at all. `check-token.ts` checks it.
 * @module
 */

import type { Exchange } from "../exchange/exchange.ts";
import { asksToken } from "../may/private-targets.ts";

/** The fields that can carry a token, for `Vary`: a cache must keep responses per token (RFC 9110 §12.5.5). */
export const TOKEN_FIELDS = "proxy_token, proxy-token, Proxy-Authorization, Cookie";
/** The fields that can carry a token on the proxy's own pages. */
export const PAGE_TOKEN_FIELDS: string = `${TOKEN_FIELDS}, Authorization`;
/** True if a token is asked for, or a part may find one. */
export function needsToken({ config, parts }: Pick<Exchange, "config" | "parts">): boolean {
  return asksToken(config) || parts.admit.length > 0;
}
