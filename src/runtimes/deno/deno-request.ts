/**
 * Adapts a request of Deno for the core.
 * @module
 */

import { takeBody, takeRequest } from "../../core/exchange/web-standard.ts";
import type { Incoming } from "../../core/runtime.ts";
import { Fields } from "../../core/http/fields.ts";

/** The target `*`, which Deno (2.9) reports as `/*`. A request for the path `/*` looks the same. */
const STAR = /^https?:\/\/[^/?#]*\/\*$/;

/** Converts a request for the core; most need no change. */
export function toIncoming(request: Request): Incoming {
  const { method, signal } = request;
  const headers = readFields(request.headers);
  const isNamed = headers.has("host");
  const isStar = method === "OPTIONS" && STAR.test(request.url);
  if (isNamed && !isStar) return takeRequest(request, headers);
  const url = isStar ? "*" : isNamed ? request.url : withoutHost(request.url);
  return { method, url, headers, body: takeBody(request.body), signal };
}

/** Copies the headers: on each look-up, `Headers` of Deno (2.9) lower-cases and compares all names again. */
function readFields(headers: Headers): Fields {
  const fields = new Fields();
  headers.forEach((value, name) => fields.append(name, value));
  return fields;
}

/**
 * Without a Host, Deno (2.9) writes `localhost` in the address. With HTTP/2, which implies TLS, the host in the address
 * is the requested one.
 */
function withoutHost(url: string): string {
  return url.replace(/^http:\/\/[^/?#]*/, "http://");
}
