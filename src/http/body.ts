/**
 * The body of a request or an answer. The core knows this one form; what comes in another becomes it at the entry.
 * @module
 */

import { FlowBody } from "./flow.ts";
import type { FlowReader } from "./flow-reader.ts";
import type { BodyWatch } from "./flow-watch.ts";
import { concat } from "./concat.ts";

/**
 * A body on its way: bytes already in memory, chunks that come as they are read, or `null` for none. A `FlowBody` is made by
 * the package's own entries; hand in a web stream instead.
 */
export type Body = Uint8Array<ArrayBuffer> | FlowBody | null;

/** True for a body that has yet to come. */
export function isStreaming(body: Body): body is FlowBody {
  return body instanceof FlowBody;
}

/** A body as standard functions take it. */
export type StandardBody = ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | null;

/** The body as standard functions take it. */
export function toStandard(body: Body): StandardBody {
  return isStreaming(body) ? body.stream() : body;
}

/** Discards a body, so that its sender can stop. */
export function discard(body: Body): void {
  if (isStreaming(body)) body.cancel();
}

/** The same body, watched: a failure cancels the source, and its reader sees an error, never a clean end. */
export function watchBody(body: FlowBody, watch: BodyWatch): FlowBody {
  body.watch(watch);
  return body;
}

/** Reads a body to its end; rejects with what cuts it. Its limits are those of its watch. */
export function readWhole(body: FlowBody): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const reader: FlowReader = {
      take(chunk, isLast) {
        chunks.push(chunk);
        size += chunk.length;
        if (isLast) resolve(concat(chunks, size));
        return true;
      },
      end: (failure) => failure ? reject(failure) : resolve(concat(chunks, size)),
    };
    body.attach(reader);
    body.want();
  });
}
