/**
 * Watches a body on its way: counts its bytes, notices when it stalls or grows too large, and tells when it is over.
 * @module
 */

/** What is watched; nothing is kept in memory, and a chunk is asked for only when the reader wants one. */
export interface BodyWatch {
  /** The source may take this many milliseconds for a chunk that is waited for; 0 for ever. */
  idleMs: number;
  /** The body may have this many bytes; 0 for no limit. */
  maxBytes: number;
  /** The failure of a source that stalls. */
  stalled(): Error;
  /** The failure of a body that grows past `maxBytes`. */
  tooLarge(): Error;
  /** Called when a chunk is waited for. */
  onWait?(): void;
  /** Called when one has come, and at the end. */
  onChunk?(bytes: number): void;
  /** Called once when the body is over: read, failed or cancelled. */
  onEnd?(failure?: unknown): void;
}

/** The same body, watched. A failure errors the stream and cancels the source. */
export function watchBody(source: ReadableStream<Uint8Array>, watch: BodyWatch): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let size = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        watch.onWait?.();
        const { done, value } = await readInTime(reader, watch);
        size += value?.length ?? 0;
        watch.onChunk?.(value?.length ?? 0);
        if (watch.maxBytes > 0 && size > watch.maxBytes) throw cancelWith(reader, watch.tooLarge());
        if (!done) return controller.enqueue(value);
        watch.onEnd?.();
        controller.close();
      } catch (failure) {
        watch.onEnd?.(failure);
        throw failure;
      }
    },
    cancel(reason) {
      watch.onEnd?.();
      return reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

function readInTime(reader: Reader, { idleMs, stalled }: BodyWatch): ReturnType<Reader["read"]> {
  if (idleMs <= 0) return reader.read();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(cancelWith(reader, stalled())), idleMs);
    reader.read().then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function cancelWith(reader: Reader, failure: Error): Error {
  void reader.cancel(failure).catch(() => {});
  return failure;
}
