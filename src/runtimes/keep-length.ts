/**
 * Keeps `Content-Length` where the server can't keep it for a stream: `Bun.serve` (1.4) sends every stream chunked.
 * @module
 */

import type { Send, Upstream } from "../index.ts";
import { FlowBody } from "./flow-body.ts";

/** Bodies up to this many bytes keep their length. */
const KEPT_BYTES = 262_144;
/**
 * A body that takes longer, in milliseconds, is handed on as a stream after all: what is here must not wait, and the
 * deadline, which is one for the head, must not run on.
 */
const PATIENCE_MS = 200;

/** The sender, with short bodies of known length in memory as long as they come soon; every other one stays a stream. */
export function keepLengths(send: Send): Send {
  return async (outgoing) => keepLength(await send(outgoing));
}

function keepLength(upstream: Upstream): Upstream | Promise<Upstream> {
  const { body, headers } = upstream;
  if (body instanceof Uint8Array) return withWhole(upstream, body);
  const length = Number(headers.get("content-length") ?? Infinity);
  if (!(body instanceof FlowBody) || length > KEPT_BYTES) return upstream;
  return body.gather(length, PATIENCE_MS).then((whole) => whole ? withWhole(upstream, whole) : upstream);
}

/** Bytes for which Bun (1.4) would invent a content type go as a stream; one that is over when it is asked keeps its length. */
function withWhole({ status, statusText, headers }: Upstream, bytes: Uint8Array<ArrayBuffer>): Upstream {
  const body = headers.has("content-type") ? bytes : wrap(bytes);
  return { status, statusText, headers, body, isWhole: true };
}

function wrap(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}
