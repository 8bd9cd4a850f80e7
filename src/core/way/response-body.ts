/**
 * The body of a response on its way to the caller: its limits, its end in the record, and its trailers (rule 17.14).
 * @module
 */

import { type Body, discard, isStreaming, watchBody } from "../http/body.ts";
import { type ErrorCode, ProxyError } from "../http/error.ts";
import { mapFailure } from "../http/failure.ts";
import type { FieldReader } from "../http/fields.ts";
import { chooseResponseTrailers, passedNames } from "../http/trailers.ts";
import type { Exchange, Target, TargetResponse } from "../exchange/exchange.ts";
import { findEntry } from "../exchange/hooks.ts";

/** Media types are case-insensitive (RFC 9110 §8.3.1). */
const EVENT_STREAM = /^text\/event-stream[ \t]*(?:;|$)/i;

/**
 * Limits a streamed body. It is cut, never ended cleanly, if the target stalls or sends too much, or if the caller reads
 * nothing. The last holds for event streams too: their target may be silent, but then no bytes wait for the caller.
 *
 * @throws {ProxyError} `answer_too_large` if its announced length exceeds the limit
 */
export function limitBody(
  { body, isWhole }: TargetResponse,
  headers: FieldReader,
  { config, record, deadlines }: Exchange,
  target: Target,
): Body {
  const { maxResponseBytes: maxBytes, idleTimeoutMs } = config;
  const failure = (code: ErrorCode, what: string) =>
    new ProxyError(code, `Cannot forward the response of ${target.origin.host}: ${what}`);
  const tooLarge = () => failure("answer_too_large", `it is too large (limit ${maxBytes} bytes)`);
  if (maxBytes > 0 && Number(headers.get("content-length") ?? 0) > maxBytes) {
    discard(body);
    throw tooLarge();
  }
  if (isWhole || !isStreaming(body)) return body;
  record.isStreaming = true;
  const isEventStream = EVENT_STREAM.test(headers.get("content-type") ?? "");
  const stalled = () => failure("response_timeout", `no bytes arrived for ${idleTimeoutMs} ms`);
  return watchBody(body, {
    idle: isEventStream ? undefined : deadlines.idle,
    look: deadlines.look,
    maxBytes,
    stalled,
    untaken: () => failure("caller_gone", "its caller took no more of it within the idle timeout"),
    tooLarge,
    onChunk: (bytes) => void (record.bytesOut += bytes),
    onEnd(cut) {
      if (cut) record.fail(mapFailure(cut, target.origin.host));
      record.end();
    },
  });
}

/** Passes on the trailers of a response if the caller accepts any, except those that a rule of the table names. */
export function passResponseTrailers(
  { body, finalAddress }: TargetResponse,
  { incoming, parts, form }: Exchange,
  origin: URL,
): void {
  if (!isStreaming(body) || !incoming.takesTrailers || form) return;
  body.passTrailers = (trailers) => {
    const chosen = chooseResponseTrailers(body.cleanTrailers?.(trailers) ?? trailers);
    const entry = findEntry(parts, finalAddress?.origin ?? origin);
    for (const name of entry?.answerRemove ?? []) chosen.delete(name);
    for (const { name } of entry?.answerSet ?? []) chosen.delete(name);
    return chosen;
  };
}

/** The trailers that a line of `Trailer` announces and that reach the caller. A body with a length has none. */
export function announceResponseTrailers(
  list: string,
  { body, headers }: TargetResponse,
): string | undefined {
  return isStreaming(body) && !headers.has("content-length") ? passedNames(list, body) : undefined;
}
