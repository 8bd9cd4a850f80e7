/**
 * Keeps `Content-Length` where the server can't keep it for a stream: `Bun.serve` (1.4) sends every stream chunked.
 * @module
 */

import { toStandard, type Upstream } from "../index.ts";

/** Bodies up to this many bytes keep their length. */
const KEPT_BYTES = 262_144;
/** A body that takes longer, in milliseconds, is handed on as a stream after all: what is here must not wait. */
const PATIENCE_MS = 200;

/** Reads a short body of known length into memory, as long as it keeps coming; every other one stays a stream. */
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

async function readShort(body: ReadableStream<Uint8Array>, length: number): Promise<Upstream["body"]> {
  const reader = body.getReader();
  const read = reader.read();
  const begun = await (Bun.peek.status(read) === "fulfilled" ? read : waitFor(read));
  // The deadline is one for the head: it must not run on while the body is waited for.
  if (!begun) return resume(reader, new Uint8Array(), read);
  const { value: first = new Uint8Array() } = begun;
  return first.length === length ? first as Uint8Array<ArrayBuffer> : await collect(reader, first, length);
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

/** What is read, `undefined` where it takes too long. */
function waitFor(read: Read): Promise<Awaited<Read> | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, PATIENCE_MS);
    read.then((chunk) => {
      clearTimeout(timer);
      resolve(chunk);
    }, reject);
  });
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;
type Read = ReturnType<Reader["read"]>;

async function collect(
  reader: Reader,
  first: Uint8Array,
  length: number,
): Promise<Upstream["body"]> {
  const bytes = new Uint8Array(length);
  bytes.set(first);
  let size = first.length;
  const { over, stop } = startPatience();
  while (size < length) {
    const read = reader.read();
    const chunk = await Promise.race([read, over]);
    if (chunk === undefined || chunk.done || size + chunk.value.length > length) {
      return resume(reader, bytes.subarray(0, size), chunk ? Promise.resolve(chunk) : read);
    }
    bytes.set(chunk.value, size);
    size += chunk.value.length;
  }
  stop();
  return bytes;
}

function startPatience(): { over: Promise<undefined>; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
  });
  return { over, stop: () => clearTimeout(timer) };
}

/** A stream of what was read, what is being read, and the rest. */
function resume(
  reader: Reader,
  before: Uint8Array,
  pending: Read,
): ReadableStream<Uint8Array> {
  let next: Read | undefined = pending;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (before.length) controller.enqueue(before);
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
