/**
 * Reads from a response's head how its body ends, and how long its connection is kept.
 * @module
 */

import type { AnswerHead } from "../codec/head.ts";
import { type Framing, readFraming } from "../codec/framing.ts";

/** An idle connection is closed after this many milliseconds, before the five seconds after which many servers close it. */
const KEPT_MS = 4_000;
/** The seconds for which a target keeps the connection, bare or quoted; or its word that no request may follow. */
const HINT = /\b(?:timeout[ \t]*=[ \t]*"?(\d+)|max[ \t]*=[ \t]*"?0+\b)/gi;

/** How the body ends. */
export interface AnswerEnd {
  /** The framing that the headers declare; it does not apply to a response without a body. */
  readonly framing: Framing;
  /** How long the connection may be kept idle after the response, in milliseconds; 0 if it may not be used again. */
  readonly idleMs: number;
}

/**
 * Reads the end of a response from its head.
 *
 * @throws {Error} if the framing is ambiguous
 */
export function readEnd(head: AnswerHead): AnswerEnd {
  return { framing: readFraming(head.headers), idleMs: readIdle(head) };
}

/**
 * How long the target keeps the connection open, in milliseconds. 0 if the target closes it (RFC 9112 §9.3), or announces
 * a body where none is allowed, which would be read as the next response (RFC 9112 §6.1, RFC 9110 §8.6).
 */
function readIdle({ isCurrent, status, headers }: AnswerHead): number {
  const saysBody = headers.has("transfer-encoding") || Number(headers.get("content-length")) > 0;
  if (status === 204 && saysBody) return 0;
  const options = headers.get("connection")?.toLowerCase() ?? "";
  // HTTP/1.0 has no chunks (RFC 9112 §6.1).
  const isKept = isCurrent || (/\bkeep-alive\b/.test(options) && !headers.has("transfer-encoding"));
  if (!isKept || /\bclose\b/.test(options)) return 0;
  const hints = (headers.get("keep-alive") ?? "").matchAll(HINT);
  const seconds = Array.from(hints, ([, timeout = 0]) => Number(timeout));
  return Math.max(0, Math.min(KEPT_MS, ...seconds.map((one) => (one - 1) * 1000)));
}
