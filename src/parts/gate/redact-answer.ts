/**
 * Redacts the response to a request that carried a key (rule 9.4).
 * @module
 */

import type { Answer } from "../../core/exchange/exchange.ts";
import { isStreaming } from "../../core/http/body.ts";
import { redactFields, redactHead } from "./redact.ts";

/** The response without the keys that its request carried. Lists the members, because a spread would slow every request. */
export function redactAnswer(answer: Answer, sent: ReadonlyMap<string, string>): Answer {
  const { headers, statusText } = redactHead(answer, sent);
  const { status, body, isWhole, socket } = answer;
  if (isStreaming(body)) body.cleanTrailers = (trailers) => redactFields(trailers, sent);
  return { status, statusText, headers, body, isWhole, socket, hadKey: true };
}
