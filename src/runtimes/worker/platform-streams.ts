/**
 * Pipes streams through the platform's own, which keep a known length and cut on failure.
 * @module
 */

/** The streams of workerd used here, declared so that every compiler can check this file. */
declare const FixedLengthStream: new (length: number) => TransformStream<Uint8Array, Uint8Array>;
declare const IdentityTransformStream: new () => TransformStream<Uint8Array, Uint8Array>;

/** A stream that is piped through a stream of the platform. */
export interface PlatformStream {
  readable: ReadableStream<Uint8Array>;
  /** Settles when the stream has ended or failed; never rejects. */
  done: Promise<void>;
  /** Stops both sides. */
  stop(reason: unknown): Promise<unknown>;
}

/**
 * Returns the same bytes, framed by their length if it is known. Without this every stream is sent chunked.
 *
 * @param onFailure called if the source fails, before the reader could mistake the failure for an end
 */
export function pipeThroughPlatform(
  source: ReadableStream<Uint8Array>,
  length: string | null,
  onFailure: (failure: unknown) => void = () => {},
): PlatformStream {
  const { readable, writable } = length === null
    ? new IdentityTransformStream()
    : new FixedLengthStream(Number(length));
  const reader = source.getReader();
  const writer = writable.getWriter();
  const stop = (reason: unknown) => Promise.allSettled([reader.cancel(reason), writer.abort(reason)]);
  // If one side fails, the other one must be stopped too.
  const done = pump(reader, writer, onFailure).catch(async (failure) => void (await stop(failure)));
  return { readable, done, stop };
}

async function pump(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  writer: WritableStreamDefaultWriter<Uint8Array>,
  onFailure: (failure: unknown) => void,
): Promise<void> {
  for (let next = await read(reader, onFailure); !next.done; next = await read(reader, onFailure)) {
    await writer.write(next.value);
  }
  await writer.close();
}

async function read(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  onFailure: (failure: unknown) => void,
) {
  try {
    return await reader.read();
  } catch (failure) {
    onFailure(failure);
    throw failure;
  }
}
