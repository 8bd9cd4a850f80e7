/**
 * What the head of a response says of its end, and of the connection's.
 * @module
 */

import { Derived } from "../../http/fields.ts";
import { type Framing, readFraming } from "./framing.ts";
import type { AnswerHead } from "./head.ts";
import { readIdle } from "./keep-alive.ts";

/** How the body ends. */
export interface AnswerEnd {
  /** As the fields say; they count for no response without a body. */
  readonly framing: Framing;
  /** How long the connection may be idle behind it, in milliseconds; 0 if it may not be used again. */
  readonly idleMs: number;
}

/** The end that follows from a head which came before. */
const KEPT = new Derived<AnswerEnd>();

/**
 * Reads it.
 *
 * @throws {Error} if the framing is ambiguous
 */
export function readEnd(head: AnswerHead): AnswerEnd {
  const kept = KEPT.recall(head.headers);
  if (kept) return kept;
  const end = { framing: readFraming(head.headers), idleMs: readIdle(head) };
  KEPT.keep(head.headers, end);
  return end;
}
