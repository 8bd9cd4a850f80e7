/**
 * Keeps `Content-Length` where the server can't keep it for a stream: `Bun.serve` (1.4) sends every stream chunked.
 * @module
 */

import { toStandard, type Upstream } from "../index.ts";

/** Bodies up to this many bytes keep their length. */
const KEPT_BYTES = 262_144;
/**
 * A body that takes longer, in milliseconds, is handed on as a stream after all: what is here must not wait, and the
 * deadline, which is one for the head, must not run on.
 */
const PATIENCE_MS = 200;

/** Reads a short body of known length into memory, as long as it comes soon; every other one stays a stream. */
export function keepLength(upstream: Upstream): Upstream | Promise<Upstream> {
  const body = toStandard(upstream.body);
  const length = Number(upstream.headers.get("content-length") ?? Infinity);
  const isShort = body instanceof ReadableStream && length > 0 && length <= KEPT_BYTES;
  return isShort
    ? readShort(body, length).then((kept) => withBody(upstream, kept))
    : withBody(upstream, body);
}

function withBody(upstream: Upstream, body: Upstream["body"]): Upstream {
  const { status, statusText, headers } = upstream;
  const isWhole = body instanceof Uint8Array && !headers.has("content-type");
  return { status, statusText, headers, body: isWhole ? wrap(body) : body, isWhole };
}

/** Bytes for which Bun (1.4) would invent a content type go as a stream; one that is over when it is asked keeps its length. */
function wrap(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;
type Read = ReturnType<Reader["read"]>;

async function readShort(body: ReadableStream<Uint8Array>, length: number): Promise<Upstream["body"]> {
  const reader = body.getReader();
  const read = reader.read();
  if (Bun.peek.status(read) !== "fulfilled") return await collect(reader, read, length);
  const { value } = await read;
  return value?.length === length ? value as Uint8Array<ArrayBuffer> : await collect(reader, read, length);
}

/** Gathers chunks until the body is whole; what is not by then goes on as a stream. */
function collect(reader: Reader, first: Read, length: number): Promise<Upstream["body"]> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let next = first;
  return new Promise((resolve, reject) => {
    let isOver = false;
    const finish = (isWhole: boolean) => {
      isOver = true;
      clearTimeout(timer);
      resolve(isWhole ? join(chunks, length) : resume(reader, chunks, next));
    };
    const take = ({ value }: Awaited<Read>): void => {
      if (isOver) return;
      if (value === undefined || size + value.length > length) return finish(false);
      chunks.push(value);
      size += value.length;
      if (size === length) return finish(true);
      next = reader.read();
      next.then(take, reject);
    };
    const timer = setTimeout(() => finish(false), PATIENCE_MS);
    next.then(take, reject);
  });
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** A stream of what was read, what is being read, and the rest. */
function resume(reader: Reader, before: readonly Uint8Array[], pending: Read): ReadableStream<Uint8Array> {
  let next: Read | undefined = pending;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of before) controller.enqueue(chunk);
    },
    async pull(controller) {
      const { done, value } = await (next ?? reader.read());
      next = undefined;
      if (value) controller.enqueue(value);
      if (done) controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}
