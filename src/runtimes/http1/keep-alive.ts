/**
 * Whether and how long a connection to a target may wait for its next request.
 * @module
 */

import type { AnswerHead } from "./head.ts";

/** An idle connection is closed after this many milliseconds, before the five seconds of many servers. */
const IDLE_CONNECTION_MS = 4_000;

/**
 * How long the target keeps the connection open, in milliseconds. 0 if it closes it (RFC 9112 §9.3), or if it announces
 * a body where none is allowed: that would be read as the next response (RFC 9112 §6.1, RFC 9110 §8.6).
 */
export function readIdle({ isCurrent, status, headers }: AnswerHead): number {
  const saysBody = headers.has("transfer-encoding") || Number(headers.get("content-length")) > 0;
  if (status === 204 && saysBody) return 0;
  const options = headers.get("connection")?.toLowerCase() ?? "";
  // HTTP/1.0 has no chunks (RFC 9112 §6.1).
  const isKept = isCurrent
    ? !/\bclose\b/.test(options)
    : /\bkeep-alive\b/.test(options) && !headers.has("transfer-encoding");
  if (!isKept) return 0;
  const [, seconds = Infinity] = /\btimeout=(\d{1,6})/i.exec(headers.get("keep-alive") ?? "") ?? [];
  return Math.min(IDLE_CONNECTION_MS, (Number(seconds) - 1) * 1000);
}
