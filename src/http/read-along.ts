/**
 * Bodies that are read from something, one chunk after the other: a web stream, or what a runtime has.
 * @module
 */

import { FlowBody, type FlowSource } from "./flow.ts";

/** What a body is read from. */
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

/** The body that a web stream holds. The stream is left alone until somebody reads. */
export function fromStream(stream: ReadableStream<Uint8Array>): FlowBody {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return readAlong({
    read: async () => (await (reader ??= stream.getReader()).read()).value,
    cancel: (reason) => (reader ?? stream).cancel(reason),
  });
}
