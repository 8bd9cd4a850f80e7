/**
 * Who owes a token, who has shown one, the fields that can carry it, and the cookie that keeps it. `door/check-token.ts` checks it.
 * @module
 */

import type { Exchange } from "../exchange/exchange.ts";
import { answerWith } from "../http/answer.ts";
import { ownCookie, readCookie } from "../http/cookies.ts";
import type { Reply } from "../http/reply.ts";

/** The fields that can carry a token, for `Vary`: a cache must keep responses per token (RFC 9110 §12.5.5). */
export const TOKEN_FIELDS = "proxy_token, proxy-token, Proxy-Authorization, Cookie";
/** The fields that can carry a token on the proxy's own pages. */
export const PAGE_TOKEN_FIELDS: string = `${TOKEN_FIELDS}, Authorization`;

/** True if the settings ask every caller for a token or a signed link. */
export function asksToken({ proxyToken, callerTokens }: Exchange["config"]): boolean {
  return proxyToken !== "" || callerTokens;
}

/** True if a token is asked for, or a part may find one. */
export function needsToken({ config, parts }: Pick<Exchange, "config" | "parts">): boolean {
  return asksToken(config) || parts.admit.length > 0;
}

/** True for a caller that showed a token, or a signed link instead. Without one, who must show it is refused at the door. */
export function hasToken({ config, token }: Pick<Exchange, "config" | "token">): boolean {
  return token !== undefined || asksToken(config);
}

/** True if the token may have been sent by a browser on its own. */
export function showsTokenCookie({ incoming: { headers } }: Pick<Exchange, "incoming">): boolean {
  return readCookie(headers.get("cookie"), "proxy_token").length > 0;
}

/**
 * Stores a token that was checked, and redirects to the next path.
 *
 * @param shown the token; `""` to forget the stored one
 * @param next a path of this proxy, without the mount path
 */
export function keepToken(
  { config: { mountPath }, caller }: Pick<Exchange, "config" | "caller">,
  shown: string,
  next: string,
): Reply {
  return answerWith(303, [
    ["location", mountPath + next],
    ["set-cookie", ownCookie(`proxy_token=${shown}`, mountPath, caller.isSecure, shown ? undefined : 0)],
    ["cache-control", "no-store"],
    ["referrer-policy", "no-referrer"],
  ]);
}
