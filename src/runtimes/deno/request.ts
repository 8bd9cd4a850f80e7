/**
 * Adapts a request of Deno for the core.
 * @module
 */

import { takeBody, takeRequest } from "../../exchange/web-standard.ts";
import type { Incoming } from "../../exchange/runtime.ts";
import { createBody } from "./body.ts";

/** Bodies up to this many bytes nearly always arrive with their headers. */
const SHORT_BYTES = 16 * 1024;

/** Deno (2.9) reports `*` as `/*`, so the path `/*` looks the same. */
const STAR = /^https?:\/\/[^/?#]*\/\*$/;

/** The request for the core; most need no change. */
export function toIncoming(request: Request): Incoming {
  const { method, headers, signal } = request;
  const isNamed = headers.has("host");
  const isLong = headers.has("transfer-encoding") || Number(headers.get("content-length")) > SHORT_BYTES;
  const isStar = method === "OPTIONS" && STAR.test(request.url);
  if (isNamed && !isLong && !isStar) return takeRequest(request);
  const url = isStar ? "*" : isNamed ? request.url : withoutHost(request.url);
  const body = isLong && request.body ? createBody(request.body) : takeBody(request.body);
  return { method, url, headers, body, signal };
}

/**
 * Without a Host, Deno (2.9) writes `localhost` in the address. With HTTP/2, which implies TLS, the host in the address
 * is the requested one.
 */
function withoutHost(url: string): string {
  return url.replace(/^http:\/\/[^/?#]*/, "http://");
}
