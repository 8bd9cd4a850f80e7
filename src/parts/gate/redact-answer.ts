/**
 * An answer to a request that a key went out with (rule 9.4).
 * @module
 */

import type { Answer } from "../../core/exchange/exchange.ts";
import { isStreaming } from "../../core/http/body.ts";
import { redactFields, redactHead } from "./redact.ts";

/** The answer without the keys that went out with its request. Written out, because a spread makes every request slow. */
export function redactAnswer(answer: Answer, sent: ReadonlyMap<string, string>): Answer {
  const { headers, statusText } = redactHead(answer, sent);
  const { status, body, isWhole, socket } = answer;
  if (isStreaming(body)) body.cleanTrailers = (trailers) => redactFields(trailers, sent);
  return { status, statusText, headers, body, isWhole, socket, hadKey: true };
}
