/**
 * Trailers of requests of `node:http` and `node:http2` (rule 17.14).
 * @module
 */

import { ProxyError } from "../../core/http/error.ts";
import { Fields } from "../../core/http/fields.ts";
import type { FlowBody } from "../../core/http/flow.ts";
import { MAX_TRAILER_BYTES, MAX_TRAILERS } from "../../core/http/trailers.ts";
import { isField } from "../../wire/codec/head.ts";

/**
 * Ends the body of a request, with the trailers that have already arrived. It does not wait for any.
 *
 * @param lines alternating names and values; absent in requests that a framework makes itself
 */
export function endWithTrailers(body: FlowBody, lines: readonly string[] = []): void {
  try {
    body.trailers = readTrailers(lines);
    body.end();
  } catch (failure) {
    body.end(failure as Error);
  }
}

function readTrailers(lines: readonly string[]): Fields | undefined {
  if (lines.length === 0) return undefined;
  const trailers = new Fields();
  for (let at = 0; at < lines.length; at += 2) {
    const { [at]: name = "", [at + 1]: value = "" } = lines;
    if (!isField(name, value)) throw unreadable("one of them is malformed");
    trailers.append(name.toLowerCase(), value, name);
  }
  if (lines.length > 2 * MAX_TRAILERS || trailers.bytes > MAX_TRAILER_BYTES) {
    throw unreadable("they are too large");
  }
  return trailers;
}

function unreadable(why: string): ProxyError {
  return new ProxyError("bad_request", `Cannot read the trailers of the request: ${why}`);
}
