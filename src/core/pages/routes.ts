/**
 * The reserved paths: `/__proxy__/`, `/__proxy__/fetch`, `/__proxy__/explain`, `/__proxy__/health`,
 * `/__proxy__/metrics`; any other path under them is a 404.
 * @module
 */

import { type IRequestStrict, Router } from "itty-router";
import { answerText } from "../http/answer.ts";
import { answerFetch } from "./fetch.ts";
import type { UsedPasses } from "../../parts/console/used-passes.ts";
import type { Traffic } from "../../parts/console/traffic.ts";
import { answerTraffic } from "../../parts/console/traffic-page.ts";
import { ProxyError } from "../http/error.ts";
import type { SharedCaptures } from "../../parts/capture/capture-share.ts";
import type { Exchange, Steps } from "../exchange/exchange.ts";
import type { Metrics } from "../../parts/metrics/metrics.ts";
import { sumMetrics } from "../../parts/metrics/metrics-sum.ts";
import { answerHome } from "./home.ts";
import { RESERVED } from "../address/reserved-paths.ts";
import type { Reply } from "../http/reply.ts";
import { answerSignOut } from "./sign-out.ts";
import { asksToken, maySeeTraffic } from "../may/rights.ts";

/** The data of the pages about all requests; absent if disabled. */
export interface Pages {
  readonly traffic: Traffic | undefined;
  /** The captures of every process. */
  readonly openCaptures: () => Promise<SharedCaptures>;
  readonly metrics: Metrics | undefined;
  /** Passes for the console's WebSockets that were used. */
  readonly usedPasses: UsedPasses;
  /** The metrics of every process of this proxy. */
  readonly readMetrics: () => Promise<readonly string[]>;
}

// itty-router's `get` ignores HEAD, so every route is `all`. If no handler answers, it is a 404.
// What only people ask for is loaded with the first request for it.
const router = Router<IRequestStrict, [Exchange, Pages, Steps]>({ base: RESERVED });
router
  .all("/", (_, exchange, { traffic }, { forward }) => answerHome(exchange, traffic, forward))
  .all("/fetch", (_, exchange, _pages, { forward }) => answerFetch(exchange, forward))
  .all(
    "/explain",
    async (_, exchange, _pages, { checkAccess }) =>
      (await import("../../parts/explain/explain.ts")).answerExplain(exchange, checkAccess),
  )
  .all("/sign-out", (_, exchange) => asksToken(exchange.config) ? answerSignOut(exchange) : undefined)
  .all("/metrics", (_, exchange, pages) => pages.metrics && answerMetrics(exchange, pages))
  .all(
    "/traffic",
    (_, exchange, { traffic }) => traffic && answerTraffic(exchange, traffic, maySeeTraffic(exchange)),
  )
  .all(
    "/capture",
    async (_, exchange, { traffic, openCaptures }) =>
      traffic &&
      (await import("../../parts/console/capture.ts")).answerCapture(exchange, await openCaptures()),
  )
  .all(
    "/traffic.har",
    async (_, exchange, { traffic, openCaptures }) =>
      traffic &&
      (await import("../../parts/console/capture.ts")).answerCapturesAsHar(exchange, await openCaptures()),
  )
  .all(
    "/send",
    async (_, exchange, { traffic }, { forward }) =>
      traffic && (await import("../../parts/console/send.ts")).answerSend(exchange, forward),
  )
  .all(
    "/socket",
    async (_, exchange, { traffic, usedPasses }, { forward }) =>
      traffic && (await import("../../parts/console/socket.ts")).answerSocket(exchange, usedPasses, forward),
  )
  .all(
    "/:file",
    async ({ params }, exchange, { traffic }) =>
      traffic && (await import("../../parts/console/document.ts")).answerAsset(exchange, params.file ?? ""),
  );

async function answerMetrics({ token }: Exchange, { readMetrics }: Pages): Promise<Reply> {
  if (token) {
    throw new ProxyError(
      "forbidden",
      "Cannot show metrics to a caller with a token of its own: they are about all callers. Use PROXY_TOKEN",
    );
  }
  return answerText(sumMetrics(await readMetrics()));
}

/**
 * Answers a request to a reserved path.
 *
 * @throws {ProxyError} `not_found` for any other path
 */
export async function routeReserved(exchange: Exchange, pages: Pages, steps: Steps): Promise<Reply> {
  const [pathname = ""] = exchange.path.split("?", 1);
  // The router modifies its argument and parses the query, so it gets neither the request nor the query.
  const routed = { method: exchange.incoming.method, url: `http://proxy${pathname}` } as IRequestStrict;
  const isExact = /^(?:\/(?:fetch\/|[\w.-]*))?$/.test(pathname.slice(RESERVED.length));
  const reply: Reply | undefined = isExact ? await router.fetch(routed, exchange, pages, steps) : undefined;
  if (reply) return reply;
  throw new ProxyError(
    "not_found",
    "Cannot find this path under /__proxy__/, expected /, /fetch, /explain or /health",
  );
}
