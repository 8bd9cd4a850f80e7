/**
 * Reads and checks `proxy_headers` and `proxy_seal` (rules 14.1 and 14.3). Loaded with the first request that has one.
 * @module
 */

import { ProxyError } from "../../core/http/error.ts";
import type { Exchange } from "../../core/exchange/exchange.ts";
import { isUpgrade } from "../../core/http/headers.ts";
import { readOverrides } from "../../core/way/overrides.ts";
import type { Steering, Wishes } from "./wishes.ts";

/**
 * Reads what a caller asks for.
 *
 * @throws {ProxyError} `bad_request` naming the field and what was expected; `forbidden` for a page of another site whose
 * origin is not granted
 */
export function readWishes({ overrides, seals }: Steering, exchange: Exchange): Wishes {
  refuseForeign(exchange, overrides ? "proxy_headers" : "proxy_seal");
  if (seals) checkSeal(seals, exchange);
  return {
    overrides: overrides && readOverrides(overrides, "header proxy_headers", exchange.config),
    isSealed: seals !== undefined,
  };
}

function checkSeal(seals: readonly string[], { incoming: { headers } }: Exchange): void {
  if (seals.length > 1 || seals[0] !== "1") {
    throw new ProxyError(
      "bad_request",
      "Cannot use header proxy_seal: it has another value, expected 1, once",
    );
  }
  if (isUpgrade(headers)) {
    throw new ProxyError(
      "bad_request",
      "Cannot seal a WebSocket: its answer opens a connection. Leave header proxy_seal out",
    );
  }
}

/**
 * A page of another site can send these headers only after a preflight, which is refused unless its origin is granted. This
 * check also refuses the request if the browser sent no preflight.
 */
function refuseForeign({ caller, asker }: Exchange, field: string): void {
  if (!caller.isForeign || asker === "granted" || asker === "stranger") return;
  throw new ProxyError(
    "forbidden",
    `Cannot use header ${field}: a page of another site sent it. Add the page's origin to CORS_ORIGINS`,
  );
}

export { applyOverrides } from "../../core/way/overrides.ts";
