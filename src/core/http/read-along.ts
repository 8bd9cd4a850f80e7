/**
 * Bodies whose chunks are read from a source: a web stream, or a runtime's own reader.
 * @module
 */

import { ProxyError } from "./error.ts";
import { FlowBody } from "./flow.ts";

const NO_BYTES = "Cannot forward the body: its stream holds other chunks than Uint8Array";

/** The source of a body. */
export interface ChunkReader {
  /** The next chunk, `undefined` at the end; rejects if the body is cut. */
  read(): Promise<Uint8Array | undefined>;
  cancel(reason: unknown): Promise<void>;
}

/** Makes a body from a reader. It reads only while chunks are wanted. */
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
  });
  return flow;
}

/** Makes a body from a web stream. It does not touch the stream before the body is read. */
export function fromStream(stream: ReadableStream<Uint8Array>): FlowBody {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return readAlong({
    read: async () => {
      const { value } = await (reader ??= stream.getReader()).read();
      // Text would be carried as NULs, one for each character, and wider elements with a wrong length.
      if (value !== undefined && value?.BYTES_PER_ELEMENT !== 1) throw new ProxyError("internal", NO_BYTES);
      return value;
    },
    cancel: (reason) => (reader ?? stream).cancel(reason),
  });
}
