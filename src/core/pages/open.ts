/**
 * Loads the pages with the first request for one, because a proxy that only forwards needs none of them.
 * @module
 */

import type { Exchange, Steps } from "../exchange/exchange.ts";
import type { Reply } from "../http/reply.ts";
import type { Part } from "../part.ts";

let routes: typeof import("./routes.ts") | undefined;

/**
 * Answers a request to a reserved path, as `routeReserved` does. Once the pages are loaded, it adds no wait of its own.
 *
 * @throws {ProxyError} (as a rejection) `not_found` for a path that is no page
 */
export function openPage(exchange: Exchange, parts: readonly Part[], steps: Steps): Promise<Reply> {
  if (routes) return routes.routeReserved(exchange, parts, steps);
  return import("./routes.ts").then((loaded) => {
    routes = loaded;
    return openPage(exchange, parts, steps);
  });
}
