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
 * Passes on what a caller says of trailers: that it takes them, with the option of its connection, and which ones follow its
 * chunks (RFC 9110 §10.1.4, §6.6.2).
 */
export function passTrailerField(
  headers: FieldWriter,
  [name, value, written]: readonly [name: string, value: string, written: unknown],
  { takesTrailers, headers: received }: Incoming,
): void {
  if (takesTrailers === undefined || received.has("upgrade")) return;
  if (name === "trailer" && received.has("transfer-encoding")) headers.append(name, value, written);
  if (name !== "te" || !takesTrailers || headers.has("te")) return;
  headers.append(name, "trailers", written);
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
