/**
 * Passes on the trailers of a request and of its response (rule 17.14).
 * @module
 */

import { isStreaming } from "../http/body.ts";
import type { FieldWriter } from "../http/fields.ts";
import { chooseAnswerTrailers, chooseRequestTrailers, passedNames } from "../http/trailers.ts";
import type { Answer, Exchange } from "../exchange/exchange.ts";
import { findEntry } from "../exchange/hooks.ts";
import type { Incoming } from "../runtime.ts";

/**
 * Tells the target that the caller accepts trailers, with the connection option that this needs (RFC 9110 §10.1.4).
 *
 * @param written the field name as the caller wrote it
 */
export function askForTrailers(
  headers: FieldWriter,
  { takesTrailers, headers: received }: Incoming,
  written: unknown,
): void {
  if (!takesTrailers || received.has("upgrade") || headers.has("te")) return;
  headers.append("te", "trailers", written);
  headers.append("connection", "TE", "Connection");
}

/** Makes the function that chooses the trailers of a request that go on. What parts keep back in front of the body, they keep back behind it. */
export function chooseSentTrailers({ parts: { strip: parts } }: Exchange): typeof chooseRequestTrailers {
  if (parts.length === 0) return chooseRequestTrailers;
  return (trailers) => {
    const chosen = chooseRequestTrailers(trailers);
    for (const strip of parts) strip(chosen, "");
    return chosen;
  };
}

/** Passes on the trailers of a response if the caller accepts any, except those that a rule of the table names. */
export function passAnswerTrailers(
  { body, finalAddress }: Answer,
  { incoming, parts, form }: Exchange,
  origin: URL,
): void {
  if (!isStreaming(body) || !incoming.takesTrailers || form) return;
  body.passTrailers = (trailers) => {
    const chosen = chooseAnswerTrailers(body.cleanTrailers?.(trailers) ?? trailers);
    const entry = findEntry(parts, finalAddress?.origin ?? origin);
    for (const name of entry?.answerRemove ?? []) chosen.delete(name);
    for (const { name } of entry?.answerSet ?? []) chosen.delete(name);
    return chosen;
  };
}

/** The trailers that a line of `Trailer` announces and that reach the caller. A body with a length has none. */
export function announceAnswerTrailers(list: string, { body, headers }: Answer): string | undefined {
  return isStreaming(body) && !headers.has("content-length") ? passedNames(list, body) : undefined;
}
