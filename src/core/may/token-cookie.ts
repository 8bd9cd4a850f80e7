/**
 * The cookie that keeps a browser's token.
 * @module
 */

import { answerWith } from "../http/answer.ts";
import type { Reply } from "../http/reply.ts";
import type { Exchange } from "../exchange/exchange.ts";

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
  const flags = `HttpOnly; SameSite=Lax${caller.isSecure ? "; Secure" : ""}${shown ? "" : "; Max-Age=0"}`;
  return answerWith(303, [
    ["location", mountPath + next],
    ["set-cookie", `proxy_token=${shown}; Path=${mountPath || "/"}; ${flags}`],
    ["cache-control", "no-store"],
    ["referrer-policy", "no-referrer"],
  ]);
}
