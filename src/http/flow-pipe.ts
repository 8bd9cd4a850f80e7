/**
 * Writes a body to a writable.
 * @module
 */

import type { Flow } from "./flow-reader.ts";

/** What a body is written to; a writable of `node:stream` is one. */
export interface Sink {
  /** Takes a chunk; false where `drain` tells when all chunks have left and to go on. */
  write(chunk: Uint8Array): unknown;
  /** The body is whole, with this last chunk where there is one. */
  end(last?: Uint8Array): unknown;
  /** The body is cut: what was written must look incomplete. */
  destroy(failure: Error): unknown;
  on(event: "drain" | "close", listener: () => void): unknown;
  /** Bytes that have not left yet, where it is known. */
  readonly writableLength?: number;
}

/**
 * Writes the body and ends the sink. A failure destroys it; a sink that closes early gives the body up.
 *
 * @param memory told when all that was written has left
 */
export function pipe(flow: Flow, sink: Sink, memory: { spent?(): void }): void {
  sink.on("drain", () => {
    memory.spent?.();
    flow.want();
  });
  sink.on("close", () => flow.cancel());
  flow.attach({
    take(chunk, isLast) {
      const isWanted = isLast ? sink.end(chunk) : sink.write(chunk);
      if (memory.spent && sink.writableLength === 0) memory.spent();
      return isWanted !== false;
    },
    end: (failure) => void (failure ? sink.destroy(failure) : sink.end()),
  });
  flow.want();
}
