/**
 * The reserved paths: `/__proxy__/`, `/__proxy__/fetch`, `/__proxy__/health`, `/__proxy__/metrics`; everything else under them is a 404.
 * @module
 */

import { type IRequestStrict, Router } from "itty-router";
import { answerText } from "./answer.ts";
import { answerAsset } from "./console/document.ts";
import { sealAnswer } from "./console/seal.ts";
import { answerTraffic } from "./console/traffic.ts";
import { ProxyError } from "./error.ts";
import type { Exchange, Forward } from "./exchange.ts";
import { sumMetrics } from "./metrics.ts";
import { answerFetch } from "./fetch-route.ts";
import { answerHome } from "./home-route.ts";
import { RESERVED } from "./reserved.ts";
import type { Reply } from "./reply.ts";
import type { State } from "./state.ts";
import { maySeeTraffic } from "./rights.ts";

// HEAD has no route of its own in itty-router's `get`, so every route is `all`; what a handler leaves alone is a 404.
const router = Router<IRequestStrict, [Exchange, State, Forward]>({ base: RESERVED });
router
  .all("/", (_, exchange, state, forward) => answerHome(exchange, state, forward))
  .all(
    "/fetch",
    (_, exchange, state, forward) => answerFetch(exchange, state, forward),
  )
  .all("/metrics", (_, _exchange, state) => state.metrics && answerMetrics(state))
  .all("/console.css", (_, exchange, { traffic }) => traffic && answerAsset(exchange, "style"))
  .all("/console.js", (_, exchange, { traffic }) => traffic && answerAsset(exchange, "script"))
  .all(
    "/traffic",
    (_, exchange, { traffic }) => traffic && answerTraffic(exchange, traffic, maySeeTraffic(exchange)),
  )
  .all(
    "/send",
    async (_, exchange, state, forward) =>
      state.traffic &&
      sealAnswer(await answerFetch(exchange, state, forward)),
  );

async function answerMetrics({ readMetrics }: State): Promise<Response> {
  return answerText(sumMetrics(await readMetrics()));
}

/**
 * Answers a request to a reserved path.
 *
 * @throws {ProxyError} `not_found` where there is no such path
 */
export async function routeReserved(exchange: Exchange, state: State, forward: Forward): Promise<Reply> {
  const [pathname = ""] = exchange.path.split("?", 1);
  // The router writes into what it is given, and reads the query; so it gets neither the request nor the query.
  const routed = { method: exchange.incoming.method, url: `http://proxy${pathname}` } as IRequestStrict;
  const isExact = /^(?:\/[\w.-]*)?$/.test(pathname.slice(RESERVED.length));
  const response: Reply | undefined = isExact
    ? await router.fetch(routed, exchange, state, forward)
    : undefined;
  if (response) return response;
  throw new ProxyError("not_found", "Cannot find this path under /__proxy__/, expected /, /fetch or /health");
}
