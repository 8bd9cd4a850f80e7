/**
 * Bodies for `Bun.serve` (1.4) that are written straight to the caller's connection. A web stream costs two promises and a
 * queue for each chunk.
 * @module
 */

import { type Body, isStreaming, type StandardBody, toStandard } from "../../core/http/body.ts";
import type { FlowBody } from "../../core/http/flow.ts";

/** The caller's connection. */
interface DirectSink {
  /**
   * Takes a chunk. Small chunks are sent together at the end of the turn. A promise means: wait until the chunk has been
   * sent.
   */
  write(chunk: Uint8Array): number | Promise<number>;
  /** Sends the rest. A promise means that it has not been sent yet. */
  end(): number | Promise<number>;
}

/** Bun's own kind of source, which the standard type lacks. */
interface DirectSource {
  type: "direct";
  /** Called once. The body is over when the promise settles; a rejection cuts the connection. */
  pull(sink: DirectSink): Promise<void>;
  cancel(reason: unknown): void;
}

/** Converts a body for `Bun.serve`. A stream that has ended already becomes a web stream, which keeps its length. */
export function toDirect(body: Body): StandardBody {
  if (!isStreaming(body) || body.hasEnded) return toStandard(body);
  const source: DirectSource = {
    type: "direct",
    pull: (sink) => writeTo(body, sink),
    cancel: (reason) => body.cancel(reason),
  };
  return new ReadableStream(source as unknown as UnderlyingDefaultSource<Uint8Array>);
}

/** Settles when the last byte has been sent: until then the server counts the request as pending. */
function writeTo(body: FlowBody, sink: DirectSink): Promise<void> {
  return new Promise((resolve, reject) => {
    let written: number | Promise<number> = 0;
    const finish = async () => {
      await written;
      await sink.end();
    };
    const end = () => void finish().then(resolve, reject);
    body.attach({
      take(chunk, isLast) {
        written = sink.write(chunk);
        if (isLast) end();
        if (typeof written === "number") return true;
        // A closed connection cancels the body.
        written.then(() => body.want(), () => {});
        return false;
      },
      end: (failure) => failure ? reject(failure) : end(),
    });
    body.want();
  });
}
