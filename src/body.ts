/**
 * Watches a body on its way: counts its bytes, notices when it stalls or grows too large, and tells when it is over.
 * @module
 */

/**
 * A body that the runtime keeps in a form of its own, to be handed on without web streams in between.
 * It is read once, by whoever knows the form, or as a stream.
 */
export interface BodySource {
  /** The body as a web stream, watched. */
  stream(): ReadableStream<Uint8Array>;
  /** Says what is watched when it is read. */
  watch(watch: BodyWatch): void;
  /** Gives it up unread. */
  cancel(): void;
}

/** A body on its way: a stream, bytes already in memory, a form of the runtime's own, or none. */
export type Body = ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | BodySource | null;

/** True for a body that has yet to come. */
export function isStreaming(body: Body): body is ReadableStream<Uint8Array> | BodySource {
  return body !== null && !(body instanceof Uint8Array);
}

/** The body as standard functions take it. */
export function toStandard(body: Body): ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | null {
  return isStreaming(body) && !(body instanceof ReadableStream) ? body.stream() : body;
}

/** Gives a body up, so that whatever sends it may stop. */
export function discard(body: Body): void {
  if (body instanceof ReadableStream) void body.cancel().catch(() => {});
  else if (isStreaming(body)) body.cancel();
}

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

/** The same body, watched: a failure cancels the source, and its reader sees an error, never a clean end. */
export function watchBody<B extends ReadableStream<Uint8Array> | BodySource>(
  body: B,
  watch: BodyWatch,
): B | ReadableStream<Uint8Array> {
  if (body instanceof ReadableStream) return watchStream(body, watch);
  body.watch(watch);
  return body;
}

/** The same stream, watched. */
export function watchStream(
  source: ReadableStream<Uint8Array>,
  watch: BodyWatch,
): ReadableStream<Uint8Array> {
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
