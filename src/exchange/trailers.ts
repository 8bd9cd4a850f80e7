/**
 * Trailers of a request and of its response on their way (rule 17.14).
 * @module
 */

import { isStreaming } from "../http/body.ts";
import type { FieldReader, FieldWriter } from "../http/fields.ts";
import { chooseAnswerTrailers } from "../http/trailers.ts";
import type { Answer, Exchange } from "./exchange.ts";
import type { Incoming } from "./runtime.ts";

/**
 * Passes on that the caller takes trailers, with the option of its connection (RFC 9110 §10.1.4).
 *
 * @param written how the caller writes `TE`
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

/** Lets the trailers of a response go on, where the caller takes any and no rule of the table is about them. */
export function passAnswerTrailers(
  { body, finalAddress }: Answer,
  { incoming, table, form }: Exchange,
  origin: URL,
): void {
  if (!isStreaming(body) || !incoming.takesTrailers || form) return;
  const clean = body.passTrailers ?? ((trailers: FieldReader) => trailers);
  body.passTrailers = (trailers) => {
    const chosen = chooseAnswerTrailers(clean(trailers));
    const entry = table?.find(finalAddress?.origin ?? origin);
    for (const name of entry?.answerRemove ?? []) chosen.delete(name);
    for (const { name } of entry?.answerSet ?? []) chosen.delete(name);
    return chosen;
  };
}
