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

/** The end of a head that came before. */
const KEPT = new Derived<{ head: AnswerHead; end: AnswerEnd }>();

/**
 * Reads it.
 *
 * @throws {Error} if the framing is ambiguous
 */
export function readEnd(head: AnswerHead): AnswerEnd {
  const kept = KEPT.recall(head.headers);
  if (kept?.head === head) return kept.end;
  const end = { framing: readFraming(head.headers), idleMs: readIdle(head) };
  if (KEPT.takes(head.headers)) KEPT.keep(head.headers, { head, end });
  return end;
}
