/**
 * Ports of other protocols, which could take a request for commands: browsers open them for no page, and so does the proxy.
 * @module
 * @see Fetch §2.9 (port blocking)
 */

import type { Exchange, Target } from "../exchange/exchange.ts";
import type { Endpoint } from "../exchange/findings.ts";
import { ProxyError } from "../http/error.ts";
import { isConfigured, readPageHost } from "./private-targets.ts";

const BLOCKED: ReadonlySet<number> = new Set([
  ...[1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103],
  ...[104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513],
  ...[514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720],
  ...[1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);

/**
 * Refuses a blocked port to pages: but to the page of that very host, and what the settings name as a target.
 *
 * @param named the target that the caller named: a redirect from there is nobody's wish
 * @throws {ProxyError} `forbidden`
 */
export function refusePort(exchange: Exchange, endpoint: Endpoint, named: Pick<Target, "origin">): void {
  const { origin, port } = endpoint;
  if (!BLOCKED.has(port)) return;
  const { asker, caller, carried, config } = exchange;
  if (asker === "program" || asker === "console" || asker === "granted") return;
  const wanted = asker === "user" ? named.origin : readPageHost(carried, config);
  const isOwn = wanted?.origin === origin.origin;
  if ((isOwn && !caller.isForeign) || isConfigured(exchange, endpoint)) return;
  throw new ProxyError(
    "forbidden",
    `Cannot reach ${origin.host}: browsers open this port for no page. Name it in PROXY_LABELS`,
    { names: ["PROXY_LABELS"] },
  );
}
