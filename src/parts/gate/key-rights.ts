/**
 * Which requests may use a key, and where a key may be sent (rules 9.2 and 9.6).
 * @module
 */

import { ProxyError } from "../../core/http/error.ts";
import { isLoopbackHost } from "../../core/address/ip.ts";
import type { Exchange, Judged } from "../../core/exchange/exchange.ts";
import { isNear, isTold } from "../../core/may/private-targets.ts";
import { hasToken, showsTokenCookie } from "../../core/may/token-duty.ts";

/**
 * Refuses requests that may not use a key.
 *
 * @param origin the target of this hop
 * @param addresses the judged addresses of that target
 * @throws {ProxyError} `forbidden`
 */
export function checkKeyRights(exchange: Exchange, origin: URL, addresses: Judged): void {
  const fault = findFault(exchange, origin, addresses);
  const names = ["CORS_ORIGINS", "PROXY_TOKEN", "CALLER_TOKENS"];
  if (fault) throw new ProxyError("forbidden", `Cannot use the key of ${origin.host}: ${fault}`, { names });
}

function findFault(exchange: Exchange, origin: URL, addresses: Judged): string | undefined {
  const { asker } = exchange;
  if (asker !== "program" && asker !== "console" && asker !== "granted") {
    return "pages may use it only from the proxy's own console or an origin in CORS_ORIGINS";
  }
  if (mayBePage(exchange)) {
    return "over plain http a page may have sent this. Use https, or show the token in the header proxy_token only";
  }
  if (!hasToken(exchange) && !isNear(exchange)) {
    return "without a token, keys are for callers on this machine. To allow others, set PROXY_TOKEN or CALLER_TOKENS";
  }
  // Last, because who asks what a request would meet may not know the addresses.
  const isSafe = origin.protocol === "https:" || isLoopback(origin, addresses);
  return isSafe ? undefined : "keys go out over https only";
}

/**
 * True for a request that looks like a program's, but shows the token in a cookie, as a browser would.
 */
function mayBePage(exchange: Exchange): boolean {
  if (exchange.asker !== "program" || isTold(exchange)) return false;
  return showsTokenCookie(exchange);
}

function isLoopback({ hostname }: URL, addresses: Judged): boolean {
  if (!addresses) return isLoopbackHost(hostname);
  return addresses.length > 0 &&
    addresses.every((address) => address.startsWith("127.") || address === "::1");
}
