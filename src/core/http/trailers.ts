/**
 * Trailers (RFC 9110 §6.5): which of them are passed on.
 * @module
 */

import { type FieldReader, Fields, linesOf } from "./fields.ts";
import type { FlowBody } from "./flow.ts";
import { type Fate, isToken, requestFate, responseFate } from "./headers.ts";

/** Maximum number of trailers. */
export const MAX_TRAILERS = 1_000;
/** Maximum bytes of all of them. */
export const MAX_TRAILER_BYTES = 65_536;

/**
 * Fields that are valid only in front of a body, in addition to those that the proxy drops or rewrites: they frame, route,
 * authenticate, or say how to process the message (RFC 9110 §6.5.1). Some servers treat such trailers as headers.
 */
const IN_FRONT: ReadonlySet<string> = new Set([
  "age",
  "cache-control",
  "cdn-loop",
  "content-disposition",
  "content-encoding",
  "content-range",
  "content-type",
  "date",
  "expires",
  "host",
  "method",
  "path",
  "pragma",
  "range",
  "retry-after",
  "vary",
  "via",
  "x-api-key",
  "x-content-type-options",
  "x-frame-options",
]);
const IN_FRONT_PREFIX =
  /^(?:access-control-|cookie|content-security-policy|cross-origin-|if-|origin-agent-|permissions-policy|referrer-policy|sec-|x-http-method|x-method|x-original-|x-rewrite-|x-forward)/;

/** The trailers to pass on of a body that has ended; `undefined` if it has none. */
export function passedTrailers({ trailers, passTrailers }: FlowBody): FieldReader | undefined {
  return trailers && passTrailers?.(trailers);
}

/**
 * The names in a `Trailer` field that are passed on, as written; `undefined` if there are none, or trailers are dropped.
 *
 * @see RFC 9110 §6.6.2
 */
export function passedNames(list: string, { passTrailers }: FlowBody): string | undefined {
  if (!passTrailers) return undefined;
  const named = new Fields();
  for (const entry of list.split(",")) {
    const name = entry.trim();
    if (isToken(name)) named.append(name.toLowerCase(), "", name);
  }
  return linesOf(passTrailers(named)).map(([name]) => name).join(", ") || undefined;
}

/** The trailers of a request that are passed on to its target. */
export function chooseRequestTrailers(trailers: FieldReader): Fields {
  return choose(trailers, requestFate);
}

/** The trailers of a response that are passed on to its caller. */
export function chooseResponseTrailers(trailers: FieldReader): Fields {
  return choose(trailers, responseFate);
}

function choose(trailers: FieldReader, fateOf: (name: string) => Fate): Fields {
  const chosen = new Fields();
  trailers.forEach((value, name, written) => {
    // CGI reads `_` and `-` as one (RFC 3875 §4.1.18).
    const hyphenated = name.replaceAll("_", "-");
    const isInFront = IN_FRONT.has(hyphenated) || IN_FRONT_PREFIX.test(hyphenated);
    if (!isInFront && fateOf(name) === "pass" && fateOf(hyphenated) === "pass") {
      chosen.append(name, value, written);
    }
  });
  return chosen;
}
