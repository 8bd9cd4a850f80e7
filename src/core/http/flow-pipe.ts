/**
 * Passes a body on to a writable, or as a web stream.
 * @module
 */

import type { Flow, FlowReader } from "./flow-reader.ts";

/** The destination of a body; a writable of `node:stream` fits. */
export interface Sink {
  /** Takes a chunk. False means: wait for `drain`, which comes when all chunks have been written. */
  write(chunk: Uint8Array): unknown;
  /** Ends a complete body, with an optional last chunk. */
  end(last?: Uint8Array): unknown;
  /** Cuts the body: what was written must look incomplete. */
  destroy(failure: Error): unknown;
  on(event: "drain" | "close", listener: () => void): unknown;
  /** Bytes not written yet, if known. */
  readonly writableLength?: number;
}

/** Writes the body and ends the sink. A failure destroys the sink. If the sink closes early, the body is cancelled. */
export function pipe(flow: Flow, sink: Sink): void {
  sink.on("drain", () => flow.want());
  sink.on("close", () => flow.cancel());
  flow.attach(new SinkReader(sink));
  flow.want();
}

class SinkReader implements FlowReader {
  readonly #sink: Sink;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  get unsent(): number | undefined {
    return this.#sink.writableLength;
  }

  take(chunk: Uint8Array, isLast: boolean): boolean {
    return (isLast ? this.#sink.end(chunk) : this.#sink.write(chunk)) !== false;
  }

  end(failure?: Error): void {
    if (failure) this.#sink.destroy(failure);
    else this.#sink.end();
  }
}

/**
 * Makes the stream.
 *
 * @param aheadBytes bytes to fetch before the stream's reader asks for them
 * @param explain the error for the stream's reader
 */
export function toStream(
  flow: Flow,
  aheadBytes: number,
  explain: (failure: Error) => Error = (failure) => failure,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) =>
        flow.attach({
          take(chunk, isLast) {
            controller.enqueue(chunk);
            if (isLast) controller.close();
            return (controller.desiredSize ?? 0) > 0;
          },
          end: (failure) => failure ? controller.error(explain(failure)) : controller.close(),
        }),
      pull: () => flow.want(),
      cancel: (reason) => flow.cancel(reason),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: aheadBytes }),
  );
}
