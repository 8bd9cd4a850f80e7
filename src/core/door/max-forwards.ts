/**
 * `OPTIONS` for the proxy itself, and `Max-Forwards`.
 * @module
 * @see RFC 9110 §9.3.7, §7.6.2
 */

import { answerWith } from "../http/answer.ts";
import type { Reply } from "../http/reply.ts";
import type { Incoming } from "../runtime.ts";

/** The methods of an `Allow` field; every other token but TRACE and CONNECT is forwarded too. */
export const ALLOWED_METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/** True for `OPTIONS *`, and for `Max-Forwards: 0`. */
export function asksProxy({ method, headers }: Pick<Incoming, "method" | "headers">, path: string): boolean {
  if (method !== "OPTIONS") return false;
  const hops = headers.get("max-forwards")?.split(",") ?? [];
  return path === "*" || hops.some((left) => /^0+$/.test(left.trim()));
}

/** Answers OPTIONS for the proxy itself. */
export function answerOptions(): Reply {
  return answerWith(204, [["allow", ALLOWED_METHODS]]);
}
