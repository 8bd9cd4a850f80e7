/**
 * Carries streams made in code through those of the platform, which keep a known length and show a cut as a cut.
 * @module
 */

/** The streams of workerd that are used here, so that every compiler can check this file. */
declare const FixedLengthStream: new (length: number) => TransformStream<Uint8Array, Uint8Array>;
declare const IdentityTransformStream: new () => TransformStream<Uint8Array, Uint8Array>;

/**
 * The same bytes, framed by their length where it is known. Without this every stream is sent chunked.
 *
 * @param onFailure told of a source that fails, before the reader could take that for an end
 */
export function carry(
  source: ReadableStream<Uint8Array>,
  length: string | null,
  onFailure: (failure: unknown) => void = () => {},
): ReadableStream<Uint8Array> {
  const { readable, writable } = length === null
    ? new IdentityTransformStream()
    : new FixedLengthStream(Number(length));
  void pump(source.getReader(), writable.getWriter(), onFailure);
  return readable;
}

async function pump(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  writer: WritableStreamDefaultWriter<Uint8Array>,
  onFailure: (failure: unknown) => void,
): Promise<void> {
  try {
    for (let next = await read(reader, onFailure); !next.done; next = await read(reader, onFailure)) {
      await writer.write(next.value);
    }
    await writer.close();
  } catch (failure) {
    // Whichever side failed, the other one must know.
    await Promise.allSettled([reader.cancel(failure), writer.abort(failure)]);
  }
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
