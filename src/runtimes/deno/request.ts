/**
 * Adapts a request of Deno for the core.
 * @module
 */

import { takeBody, takeRequest } from "../../exchange/web-standard.ts";
import type { Incoming } from "../../exchange/runtime.ts";
import { Fields } from "../../http/fields.ts";
import { createBody } from "./body.ts";

/** Bodies up to this many bytes nearly always arrive with their headers. */
const SHORT_BYTES = 16 * 1024;

/** Deno (2.9) reports `*` as `/*`, so the path `/*` looks the same. */
const STAR = /^https?:\/\/[^/?#]*\/\*$/;

/** The request for the core; most need no change. */
export function toIncoming(request: Request): Incoming {
  const { method, signal } = request;
  const headers = readFields(request.headers);
  const isNamed = headers.has("host");
  const isLong = headers.has("transfer-encoding") || Number(headers.get("content-length")) > SHORT_BYTES;
  const isStar = method === "OPTIONS" && STAR.test(request.url);
  if (isNamed && !isLong && !isStar) return takeRequest(request, headers);
  const url = isStar ? "*" : isNamed ? request.url : withoutHost(request.url);
  const body = isLong && request.body ? createBody(request.body) : takeBody(request.body);
  return { method, url, headers, body, signal };
}

/** A copy: `Headers` of Deno (2.9) compares with all names in lower case, anew for each name that is asked for. */
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
