/**
 * Keeps `Content-Length` on `Bun.serve` (1.4), which sends every stream chunked.
 * @module
 */

import { createDeadlines } from "../../http/deadlines.ts";
import { FlowBody } from "../../http/flow.ts";
import type { Patience } from "../../http/gather.ts";
import type { Upstream } from "../../exchange/runtime.ts";

/** Bodies up to this many bytes keep their length. */
const KEPT_BYTES = 262_144;
/** For larger bodies in one piece, Bun writes each part of the headers on its own: 36 system calls instead of two. */
const PIECE_BYTES = 12_288;
/**
 * A body that takes longer, in milliseconds, is streamed after all: bytes that have arrived must not wait, and the
 * deadline for the headers must stop.
 */
const PATIENCE_MS = 200;

/** When to buffer a body instead of streaming it. */
export function createPatience(): Patience {
  const deadlines = createDeadlines(PATIENCE_MS, true);
  return { maxBytes: KEPT_BYTES, joinedBytes: PIECE_BYTES, wait: (expire) => deadlines.start(expire) };
}

/**
 * What else `Bun.serve` (1.4) needs. Large bodies, and those for which it would invent a content type, beside an empty one
 * too, go as a stream; one that is over before it is full keeps its length. Of a body that is still to come the server keeps a chunk, and Bun reads
 * half a MiB at once, so none is read ahead.
 */
export function keepContentLength(upstream: Upstream): Upstream {
  const { body, headers } = upstream;
  if (body instanceof FlowBody) body.aheadBytes = 0;
  if (!(body instanceof Uint8Array)) return upstream;
  if (body.length <= PIECE_BYTES && headers.get("content-type")) return upstream;
  const whole = new FlowBody({ pause() {}, resume() {}, cancel() {} });
  whole.push(body, true);
  return { ...upstream, body: whole, isWhole: true };
}
