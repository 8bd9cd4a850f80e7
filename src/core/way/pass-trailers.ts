/**
 * Trailers of a request and of its response on their way (rule 17.14).
 * @module
 */

import { isStreaming } from "../http/body.ts";
import type { FieldWriter } from "../http/fields.ts";
import { hasToken } from "../http/headers.ts";
import { chooseAnswerTrailers, passedNames } from "../http/trailers.ts";
import type { Answer, Exchange } from "../exchange/exchange.ts";
import type { Incoming } from "../runtime.ts";

/**
 * Passes on that the caller takes trailers, with the option of its connection (RFC 9110 §10.1.4).
 *
 * @param list what it says in a line of `TE`
 * @param written how it writes the name
 */
export function askForTrailers(
  headers: FieldWriter,
  { takesTrailers, headers: received }: Incoming,
  list: string,
  written: unknown,
): void {
  const asks = takesTrailers && hasToken(list, "trailers");
  if (!asks || received.has("upgrade") || headers.has("te")) return;
  headers.append("te", "trailers", written);
  headers.append("connection", "TE", "Connection");
}

/** Lets the trailers of a response go on, where the caller takes any and no rule of the table is about them. */
export function passAnswerTrailers(
  { body, finalAddress }: Answer,
  { incoming, table, form }: Exchange,
  origin: URL,
): void {
  if (!isStreaming(body) || !incoming.takesTrailers || form) return;
  body.passTrailers = (trailers) => {
    const chosen = chooseAnswerTrailers(body.cleanTrailers?.(trailers) ?? trailers);
    const entry = table?.find(finalAddress?.origin ?? origin);
    for (const name of entry?.answerRemove ?? []) chosen.delete(name);
    for (const { name } of entry?.answerSet ?? []) chosen.delete(name);
    return chosen;
  };
}

/** What a line of `Trailer` announces of those that reach the caller. A body with a length has none. */
export function announceAnswerTrailers(list: string, { body, headers }: Answer): string | undefined {
  return isStreaming(body) && !headers.has("content-length") ? passedNames(list, body) : undefined;
}
