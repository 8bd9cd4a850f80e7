/**
 * `proxy_headers` and `proxy_seal`: what a caller asks of the proxy beside the request itself (contract 14).
 * @module
 */

import { ProxyError } from "../http/error.ts";
import type { Exchange } from "./exchange.ts";
import { isUpgrade } from "../http/headers.ts";
import { type Overrides, readOverrides } from "./overrides.ts";

/** The values of the two fields as they arrived, one for each line; absent in almost every request. */
export interface Steering {
  overrides?: string[];
  seals?: string[];
}

/** What they ask for. */
export interface Wishes {
  /** Fields to set or remove in the outgoing request. */
  overrides?: Overrides | undefined;
  /** True if the response shall be sealed. */
  isSealed: boolean;
}

/** Notes a line of one of the two fields. */
export function noteSteering(steering: Steering, name: string, value: string): undefined {
  if (name.endsWith("seal")) (steering.seals ??= []).push(value);
  else (steering.overrides ??= []).push(value);
}

/** Notes the seal of a request whose other fields do not count, because an `arg` describes them all. */
export function readSeals({ incoming: { headers } }: Pick<Exchange, "incoming">): Steering {
  const seals = [headers.get("proxy_seal"), headers.get("proxy-seal")].filter((value) => value !== null);
  return seals.length > 0 ? { seals } : {};
}

/**
 * Reads what a caller asks for.
 *
 * @throws {ProxyError} `bad_request` naming the field and what was expected; `forbidden` for a page of another site whose
 * origin is not granted
 */
export function readWishes({ overrides, seals }: Steering, exchange: Exchange): Wishes {
  if (!overrides && !seals) return NO_WISHES;
  refuseForeign(exchange, overrides ? "proxy_headers" : "proxy_seal");
  if (seals) checkSeal(seals, exchange);
  return {
    overrides: overrides && readOverrides(overrides, "header proxy_headers", exchange.config),
    isSealed: seals !== undefined,
  };
}

const NO_WISHES: Wishes = { isSealed: false };

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
 * A page of another site can send these fields only after a preflight, which is refused unless its origin is granted. This
 * also refuses it where a browser did not ask.
 */
function refuseForeign({ caller, asker }: Exchange, field: string): void {
  if (!caller.isForeign || asker === "granted" || asker === "stranger") return;
  throw new ProxyError(
    "forbidden",
    `Cannot use header ${field}: a page of another site sent it. Add the page's origin to CORS_ORIGINS`,
  );
}
