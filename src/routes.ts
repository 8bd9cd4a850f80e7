/**
 * The reserved paths: `/__proxy__/`, `/__proxy__/fetch`, `/__proxy__/health`; everything else under them is a 404.
 * @module
 */

import { type IRequestStrict, Router } from "itty-router";
import { answerJson } from "./answer.ts";
import { type ErrorTitle, ProxyError } from "./error.ts";
import type { Exchange, Forward } from "./exchange.ts";
import { answerFetch } from "./fetch-route.ts";
import { answerHome } from "./home-route.ts";

const RESERVED = "/__proxy__";

// HEAD has no route of its own in itty-router's `get`, so every route is `all`; what a handler leaves alone is a 404.
const router = Router<IRequestStrict, [Exchange, Forward]>({ base: RESERVED });
router
  .all("/", (_, exchange, forward) => answerHome(exchange, forward))
  .all("/fetch", (_, exchange, forward) => answerFetch(exchange, forward))
  .all("/health", () => answerJson({ status: "ok" }));

/** True for a path that the proxy answers itself. */
export function isReserved(path: string): boolean {
  return path.startsWith(RESERVED) && /^[/?]?$/.test(path.charAt(RESERVED.length));
}

/** The title of an error on this path (contract 6). */
export function titleOf(path: string): ErrorTitle {
  return /^\/__proxy__\/fetch\/*(?:\?|$)/.test(path) ? "Fetch API Error" : "Proxy Error";
}

/**
 * Answers a request to a reserved path.
 *
 * @throws {ProxyError} `not_found` where there is no such path
 */
export async function routeReserved(exchange: Exchange, forward: Forward): Promise<Response> {
  const [pathname] = exchange.path.split("?", 1);
  // The router writes into what it is given, and reads the query; so it gets neither the request nor the query.
  const routed = { method: exchange.incoming.method, url: `http://proxy${pathname}` } as IRequestStrict;
  const response: Response | undefined = await router.fetch(routed, exchange, forward);
  if (response) return response;
  throw new ProxyError("not_found", "Cannot find this path under /__proxy__/, expected /, /fetch or /health");
}
