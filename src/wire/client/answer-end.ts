/**
 * What the head of a response says of its end, and of the connection's.
 * @module
 */

import { type Framing, readFraming } from "../codec/framing.ts";
import type { AnswerHead } from "../codec/head.ts";

/** A kept connection is closed after this many milliseconds, before the five seconds of many servers. */
const KEPT_MS = 4_000;

/** How the body ends. */
export interface AnswerEnd {
  /** As the fields say; they count for no response without a body. */
  readonly framing: Framing;
  /** How long the connection may be kept behind it, in milliseconds; 0 if it may not be used again. */
  readonly idleMs: number;
}

/**
 * Reads it.
 *
 * @throws {Error} if the framing is ambiguous
 */
export function readEnd(head: AnswerHead): AnswerEnd {
  return { framing: readFraming(head.headers), idleMs: readIdle(head) };
}

/**
 * How long the target keeps the connection open, in milliseconds. 0 if it closes it (RFC 9112 §9.3), or if it announces
 * a body where none is allowed: that would be read as the next response (RFC 9112 §6.1, RFC 9110 §8.6).
 */
function readIdle({ isCurrent, status, headers }: AnswerHead): number {
  const saysBody = headers.has("transfer-encoding") || Number(headers.get("content-length")) > 0;
  if (status === 204 && saysBody) return 0;
  const options = headers.get("connection")?.toLowerCase() ?? "";
  // HTTP/1.0 has no chunks (RFC 9112 §6.1).
  const isKept = isCurrent
    ? !/\bclose\b/.test(options)
    : /\bkeep-alive\b/.test(options) && !headers.has("transfer-encoding");
  if (!isKept) return 0;
  const [, seconds = Infinity] = /\btimeout=(\d{1,6})/i.exec(headers.get("keep-alive") ?? "") ?? [];
  return Math.min(KEPT_MS, (Number(seconds) - 1) * 1000);
}
