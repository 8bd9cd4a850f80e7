/**
 * Keeps pages of other sites away from the reserved paths, which steer the proxy (rule 5.7), and prefetches.
 * @module
 * @see Fetch Metadata Request Headers §2
 */

import type { Grant } from "../address/authority.ts";
import { hasAddress } from "../address/reserved-paths.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { ProxyError } from "../http/error.ts";
import { isTopNavigation, isUpgrade } from "../http/headers.ts";

/**
 * Checks where a request to a reserved path, or for a WebSocket, comes from. Browsers open WebSockets across sites
 * without a preflight, and send cookies. So `CORS_ORIGINS=*` grants only handshakes without cookies.
 *
 * @throws {ProxyError} `forbidden` when a page of another site sends it and its origin is not granted
 */
export function checkSite(exchange: Exchange, grant: Grant): void {
  const { headers } = exchange.incoming;
  const isSocket = isUpgrade(headers);
  const isGranted = grant === "listed" || (grant === "any" && !(isSocket && headers.has("cookie")));
  if (isGranted || !exchange.caller.isForeign || (!isSocket && isLink(exchange))) return;
  throw new ProxyError(
    "forbidden",
    "Cannot take this request: a page of another site sent it. Add the page's origin to CORS_ORIGINS",
    { names: ["CORS_ORIGINS"] },
  );
}

/** True for a user who follows a link to `?url=`. Links that set the host or send an `arg` do more than that. */
function isLink({ incoming, path }: Exchange): boolean {
  const { headers, method } = incoming;
  return method === "GET" && isTopNavigation(headers) && hasAddress(path);
}

/**
 * Refuses prefetches, signed or not. `?url=` is allowed, because it only reads.
 *
 * @throws {ProxyError} `forbidden`
 */
export function refusePrefetch({ incoming, path }: Exchange): void {
  if (!/^prefetch\b/i.test(incoming.headers.get("sec-purpose") ?? "") || hasAddress(path)) return;
  throw new ProxyError("forbidden", "Prefetch requests are refused here");
}
