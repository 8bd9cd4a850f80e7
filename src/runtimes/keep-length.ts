/**
 * Keeps `Content-Length` where the server can't keep it for a stream: `Bun.serve` (1.4) sends every stream chunked.
 * @module
 */

import { setTimeout } from "node:timers";
import type { Upstream } from "../index.ts";
import type { Patience } from "./flow-body.ts";

/** Bodies up to this many bytes keep their length. */
const KEPT_BYTES = 262_144;
/**
 * A body that takes longer, in milliseconds, is handed on as a stream after all: what is here must not wait, and the
 * deadline, which is one for the head, must not run on.
 */
const PATIENCE_MS = 200;

/** Bodies that are kept in memory, and for how long: one timer for all, since nearly none of them needs it. */
export function createPatience(): Patience {
  const waiting = new Map<() => void, number>();
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    timer = undefined;
    const now = performance.now();
    // In the order of their times, which are all of one length.
    for (const [expire, due] of waiting) {
      if (due > now) {
        timer = setTimeout(check, due - now);
        return;
      }
      waiting.delete(expire);
      expire();
    }
  };
  return {
    maxBytes: KEPT_BYTES,
    wait(expire) {
      waiting.set(expire, performance.now() + PATIENCE_MS);
      timer ??= setTimeout(check, PATIENCE_MS);
      return () => void waiting.delete(expire);
    },
  };
}

/** Bytes for which Bun (1.4) would invent a content type go as a stream; one that is over when it is asked keeps its length. */
export function keepType(upstream: Upstream): Upstream {
  const { body, headers } = upstream;
  if (!(body instanceof Uint8Array) || headers.has("content-type")) return upstream;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(body);
      controller.close();
    },
  });
  return { ...upstream, body: stream, isWhole: true };
}
