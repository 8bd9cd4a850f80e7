/**
 * A request as Deno hands it in, for the core.
 * @module
 */

import { takeBody, takeRequest } from "../../exchange/border.ts";
import type { Incoming } from "../../exchange/runtime.ts";
import { createBody } from "./body.ts";

/** Bodies of up to this many bytes have nearly always come with their head. */
const SHORT_BYTES = 16 * 1024;

/** What Deno (2.9) makes of `*`; a path `/*` can't be told from it. */
const STAR = /^https?:\/\/[^/?#]*\/\*$/;

/** The request for the core; most go there as they are. */
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

/** Where no host is named, Deno (2.9) says `localhost` in the address; with HTTP/2, which has TLS, it is the one named. */
function withoutHost(url: string): string {
  return url.replace(/^http:\/\/[^/?#]*/, "http://");
}
