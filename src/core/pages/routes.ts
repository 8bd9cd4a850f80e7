/**
 * The reserved paths: those of the seed, then those of the parts. Any other path under `/__proxy__` is a 404.
 * @module
 */

import { type IRequestStrict, Router } from "itty-router";
import { answerFetch } from "./fetch.ts";
import { ProxyError } from "../http/error.ts";
import type { Exchange, Steps } from "../exchange/exchange.ts";
import type { OpenPart, Part } from "../part.ts";
import { formatAddress } from "../address/address.ts";
import { answerHome, forwardNamed } from "./home.ts";
import { readAtTarget } from "./named-target.ts";
import { isAt, RESERVED } from "../address/reserved-paths.ts";
import type { Reply } from "../http/reply.ts";

// itty-router's `get` ignores HEAD, so every route is `all`. If no handler answers, it is a 404.
const router = Router<IRequestStrict, [Exchange, Steps, OpenPart]>({ base: RESERVED });
router
  .all("/", (_, exchange, { forward }, openPart) => answerHome(exchange, forward, openPart))
  .all("/fetch", (_, exchange, { forward }) => answerFetch(exchange, forward))
  .all(
    "/*",
    ({ url }, _exchange, _steps, openPart) => openPart(new URL(url).pathname.slice(RESERVED.length)),
  );

/**
 * Answers a request to a reserved path.
 *
 * @throws {ProxyError} `not_found` for any other path
 */
export async function openPage(
  exchange: Exchange,
  parts: readonly Part[],
  steps: Steps,
): Promise<Reply> {
  if (isAt(exchange.path)) {
    const target = readAtTarget(exchange);
    return await forwardNamed(exchange, target, formatAddress(target), steps.forward);
  }
  const [pathname = ""] = exchange.path.split("?", 1);
  // The router modifies its argument and parses the query, so it gets neither the request nor the query.
  const routed = { method: exchange.incoming.method, url: `http://proxy${pathname}` } as IRequestStrict;
  const isExact = /^(?:\/(?:fetch\/|[\w.-]*))?$/.test(pathname.slice(RESERVED.length));
  const openPart: OpenPart = async (path) => {
    for (const part of parts) {
      const reply = await part.open?.(path, exchange, steps);
      if (reply) return reply;
    }
    return undefined;
  };
  const reply: Reply | undefined = isExact
    ? await router.fetch(routed, exchange, steps, openPart)
    : undefined;
  if (reply) return reply;
  throw new ProxyError(
    "not_found",
    "Cannot find this path under /__proxy__/, expected /, /fetch, /explain or /health",
  );
}
