/**
 * The body of a request or an answer, in whatever form it comes.
 * @module
 */

import { FlowBody, type FlowSource } from "./flow.ts";
import type { BodyWatch } from "./flow-watch.ts";

/**
 * A body on its way: a stream, bytes already in memory, or `null` for none. A `FlowBody` takes chunks that one of the
 * package's own entries pushes in; make none yourself.
 */
export type Body = ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | FlowBody | null;

/** True for a body that has yet to come. */
export function isStreaming(body: Body): body is ReadableStream<Uint8Array> | FlowBody {
  return body !== null && !(body instanceof Uint8Array);
}

/** The body as standard functions take it. */
export function toStandard(body: Body): ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | null {
  return body instanceof FlowBody ? body.stream() : body;
}

/** Gives a body up, so that whatever sends it may stop. */
export function discard(body: Body): void {
  if (body instanceof ReadableStream) void body.cancel().catch(() => {});
  else if (isStreaming(body)) body.cancel();
}

/** The same body, watched: a failure cancels the source, and its reader sees an error, never a clean end. */
export function watchBody(body: ReadableStream<Uint8Array> | FlowBody, watch: BodyWatch): FlowBody {
  const flow = toFlow(body);
  flow.watch(watch);
  return flow;
}

/** The body as what can be piped. */
export function toFlow(body: ReadableStream<Uint8Array> | FlowBody): FlowBody {
  return body instanceof FlowBody ? body : flowFrom(body);
}

/** What a body is read from, one chunk after the other. */
export interface ChunkReader extends Pick<FlowSource, "spent"> {
  /** The next chunk, `undefined` at the end; rejects where the body is cut. */
  read(): Promise<Uint8Array | undefined>;
  cancel(reason: unknown): Promise<void>;
}

/** The chunks of a reader, read while somebody wants them. */
export function readAlong(reader: ChunkReader): FlowBody {
  let isWanted = false;
  let isReading = false;
  const read = async () => {
    isReading = true;
    try {
      while (isWanted) {
        const chunk = await reader.read();
        if (!chunk) return flow.end();
        flow.push(chunk);
      }
    } catch (failure) {
      flow.end(failure instanceof Error ? failure : new Error("cut", { cause: failure }));
    } finally {
      isReading = false;
    }
  };
  const flow = new FlowBody({
    pause() {
      isWanted = false;
    },
    resume() {
      isWanted = true;
      if (!isReading) void read();
    },
    cancel: (reason) => void reader.cancel(reason).catch(() => {}),
    spent: () => reader.spent?.(),
  });
  return flow;
}

function flowFrom(stream: ReadableStream<Uint8Array>): FlowBody {
  const reader = stream.getReader();
  return readAlong({
    read: async () => (await reader.read()).value,
    cancel: (reason) => reader.cancel(reason),
  });
}
