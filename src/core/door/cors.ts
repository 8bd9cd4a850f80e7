/**
 * CORS: preflights, and the fields of every response (rule 5.8).
 * @module
 * @see Fetch §3.3 (CORS protocol)
 */

import { isFieldValue, isToken, isWish } from "../http/headers.ts";
import { answerWith } from "../http/answer.ts";
import type { FieldReader, FieldWriter } from "../http/fields.ts";
import type { Config } from "../settings/config.ts";
import type { Grant } from "../address/authority.ts";
import { ProxyError } from "../http/error.ts";
import type { Reply } from "../http/reply.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Incoming, Runtime } from "../runtime.ts";

const PREFLIGHT_SECONDS = 600;
const CORS_FIELD = /^access-control-(?:allow|expose|max)-/;

/**
 * Answers a preflight if the settings decide who may read.
 *
 * @returns `undefined` for other requests, and for preflights that the target answers
 * @throws {ProxyError} `forbidden` for an origin that is not granted while a list is set; `bad_request` for malformed
 * fields, which would be repeated in the response
 */
export function answerPreflight(
  { incoming, config }: Pick<Exchange, "incoming" | "config">,
  grant: Grant,
): Reply | undefined {
  if (!isPreflight(incoming)) return undefined;
  const { headers } = incoming;
  if (grant === "none") {
    if (!config.corsOrigins && !asksForWish(headers)) return undefined;
    throw new ProxyError(
      "forbidden",
      "Cannot allow this origin: CORS_ORIGINS does not list it. Add it there",
      { names: ["CORS_ORIGINS"] },
    );
  }
  const method = headers.get("access-control-request-method") ?? "";
  const names = headers.get("access-control-request-headers") ?? "";
  if (!isToken(method) || !isFieldValue(names)) {
    throw new ProxyError(
      "bad_request",
      "Cannot answer this preflight: its Access-Control-Request fields are malformed",
    );
  }
  const response = answerWith(204, [
    ["access-control-allow-methods", method],
    ["access-control-max-age", String(PREFLIGHT_SECONDS)],
    ["vary", "Access-Control-Request-Method, Access-Control-Request-Headers"],
  ]);
  if (names) response.headers.set("access-control-allow-headers", names);
  if (headers.has("access-control-request-private-network")) {
    response.headers.set("access-control-allow-private-network", "true");
  }
  return response;
}

/** True if a page wants to send `proxy_headers` or `proxy_seal`. The target has no say in what these do at the proxy. */
function asksForWish(headers: FieldReader): boolean {
  const names = headers.get("access-control-request-headers") ?? "";
  return names.toLowerCase().split(",").some((name) => isWish(name.trim()));
}

/** Writes the CORS fields of a response. The target's own stay only if no list is set and the origin is not granted. */
export function writeCors(
  response: FieldWriter,
  incoming: Incoming,
  runtime: Runtime,
  config: Config,
  grant: Grant,
): void {
  const { corsOrigins } = config;
  if (grant === "none" && !corsOrigins) {
    // Loopback origins get a different response, so caches must keep the two apart.
    if (runtime.listensOnLoopback && incoming.headers.has("sec-fetch-site")) {
      response.append("vary", "Origin");
    }
    return;
  }
  const isSameForAll = corsOrigins?.any && corsOrigins.listed.size === 0;
  if (!isSameForAll) response.append("vary", "Origin");
  const names = [...response].map(([name]) => name);
  // Where anything is granted, the response to a preflight is the proxy's own, so its fields are kept.
  const replaced = isPreflight(incoming) ? [] : names.filter((name) => CORS_FIELD.test(name));
  for (const name of replaced) response.delete(name);
  if (grant === "none") return;
  const origin = incoming.headers.get("origin");
  response.set("access-control-allow-origin", grant === "listed" && origin ? origin : "*");
  response.set("access-control-expose-headers", grant === "listed" ? exposed(names) : "*");
  if (grant === "listed") response.set("access-control-allow-credentials", "true");
}

/** @see Fetch §3.3.2 (CORS-preflight request) */
function isPreflight({ method, headers }: Incoming): boolean {
  return method === "OPTIONS" && headers.has("origin") && headers.has("access-control-request-method");
}

/** With credentials `*` is not a wildcard, so every field is listed. */
function exposed(names: string[]): string {
  return [...new Set(names)].filter((name) => name !== "set-cookie" && !CORS_FIELD.test(name)).join(", ");
}
