/**
 * Keeps `Content-Length` on `Bun.serve` (1.4), which sends every stream chunked.
 * @module
 */

import { createDeadlines } from "../../core/http/deadlines.ts";
import { FlowBody } from "../../core/http/flow.ts";
import type { Patience } from "../../core/http/flow-queue.ts";
import type { Upstream } from "../../core/runtime.ts";

/** Bodies up to this many bytes keep their length. */
const KEPT_BYTES = 262_144;
/** If a larger body is one piece, Bun writes each part of the headers separately: 36 system calls instead of two. */
const PIECE_BYTES = 12_288;
/**
 * A body that is not complete after this many milliseconds is streamed after all: bytes that have arrived must not wait,
 * and the deadline for the headers must stop.
 */
const PATIENCE_MS = 200;

/** When to buffer a body instead of streaming it. */
export function createPatience(): Patience {
  const deadlines = createDeadlines(PATIENCE_MS, true);
  return { maxBytes: KEPT_BYTES, joinedBytes: PIECE_BYTES, wait: (expire) => deadlines.start(expire) };
}

/**
 * Adapts a response to `Bun.serve` (1.4). Large bodies, and bodies without a content type (Bun would invent one, even
 * if it is empty), become streams; a stream that ends before it is full keeps its length. Streams read nothing ahead,
 * because the server holds a chunk itself, and Bun reads half a MiB at once.
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
