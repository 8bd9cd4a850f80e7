/**
 * A body whose source pushes chunks to one reader, never faster than it reads.
 * @module
 */

import type { FieldReader, Fields } from "./fields.ts";
import { pipe, type Sink, toStream } from "./flow-pipe.ts";
import { FlowQueue, gather, type Gathered, type Patience, peek, QUEUED_BYTES } from "./flow-queue.ts";
import type { Flow, FlowReader } from "./flow-reader.ts";
import { type BodyTap, type BodyWatch, FlowWatch } from "./flow-watch.ts";

/** Selects the trailers that remain, or changes them. */
type ChooseTrailers = (trailers: FieldReader) => FieldReader;

/** The source of the chunks. Once it has ended or was cancelled, nothing of it is called. */
export interface FlowSource {
  /** Asks for more. Called first when there is a reader. */
  resume(): void;
  /** Asks the source to pause; late chunks are still accepted. */
  pause(): void;
  cancel(reason?: unknown): void;
}

/** @internal A body that is read once. */
export class FlowBody implements Flow {
  /** Bytes that a web stream fetches from the source before its reader asks for them. */
  aheadBytes: number = QUEUED_BYTES;
  /** The trailers (RFC 9110 §6.5), if there are any. The source sets them before the end. */
  trailers: Fields | undefined;
  /** The trailer names that the sender announces (RFC 9110 §6.6.2); absent if the source reads no trailers. */
  announced: string | undefined;
  /** Chooses the trailers to pass on; without it, none are. */
  passTrailers: ChooseTrailers | undefined;
  /** Removes keys from the trailers that are passed on. */
  cleanTrailers: ChooseTrailers | undefined;
  readonly #source: FlowSource;
  readonly #queue = new FlowQueue();
  #reader: FlowReader | undefined;
  #watch: FlowWatch | undefined;
  #tap: BodyTap | undefined;
  #isWanted = false;
  /** True once the body has been read, cut or cancelled. */
  #isOver = false;

  constructor(source: FlowSource) {
    this.#source = source;
  }

  /** True once its last byte has arrived, or it has been cut. */
  get hasEnded(): boolean {
    return this.#queue.isEnded;
  }

  /** True once somebody reads it. */
  get hasReader(): boolean {
    return this.#reader !== undefined;
  }

  /** Takes the next chunk from the source; the last one ends the body. Empty chunks are ignored. */
  push(chunk: Uint8Array, isLast = false): void {
    const queue = this.#queue;
    if (queue.isEnded || this.#isOver) return;
    if (chunk.length === 0) return isLast ? this.end() : undefined;
    if (this.#reader) {
      if (isLast) queue.end();
      return this.#hand(chunk, isLast);
    }
    queue.add(chunk);
    if (isLast) queue.end();
    else if (queue.isFull) this.#source.pause();
  }

  /** The source has ended: the body is complete, or cut by `failure`. */
  end(failure?: Error): void {
    if (this.#queue.isEnded || this.#isOver) return;
    this.#queue.end(failure);
    if (this.#reader) this.#finish(failure);
  }

  /** Sets the limits of the body. */
  watch(watch: BodyWatch): void {
    this.#watch = new FlowWatch(watch, (failure) => this.#fail(failure));
  }

  /** Shows the bytes of the body to a tap from now on. */
  tap(tap: BodyTap): void {
    this.#tap = tap;
  }

  /** Cancels the body, with or without a reader. */
  cancel(reason?: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#tap?.onEnd();
    this.#watch?.cancel();
    if (!this.#queue.isEnded) this.#source.cancel(reason);
  }

  /** Writes the body and ends the sink (see `flow-pipe.ts`). */
  pipe(sink: Sink): void {
    pipe(this, sink);
  }

  /** The body as a web stream. A complete body fills the stream at once, so a server can know its length. */
  stream(explain?: (failure: Error) => Error): ReadableStream<Uint8Array> {
    const { isEnded, bytes } = this.#queue;
    return toStream(this, isEnded ? bytes + 1 : this.aheadBytes, explain);
  }

  /** Buffers a body that has not ended until it is complete or the patience ends. After that it can be read as usual. */
  gather(patience: Patience, done: Gathered): void {
    gather(this.#queue, patience, done);
    this.#source.resume();
  }

  /**
   * Waits for the first bytes, and leaves them for the reader.
   *
   * @returns `undefined` if there are none; rejects if the body is cut before them
   */
  peek(): Promise<Uint8Array | undefined> {
    return peek(this.#queue, this.#source);
  }

  attach(reader: FlowReader): void {
    this.#reader = reader;
    const { isEnded, failure } = this.#queue;
    const chunks = this.#queue.take();
    const last = isEnded && !failure ? chunks.length - 1 : -1;
    chunks.forEach((chunk, index) => this.#hand(chunk, index === last));
    if (isEnded) this.#finish(failure);
  }

  want(): void {
    if (this.#isWanted || this.#isOver || this.#queue.isEnded) return;
    this.#isWanted = true;
    this.#watch?.wait();
    this.#source.resume();
  }

  #hand(chunk: Uint8Array, isLast: boolean): void {
    if (this.#isOver) return;
    const tooLarge = this.#watch?.count(chunk.length);
    if (tooLarge) return this.#fail(tooLarge);
    this.#tap?.onBytes(chunk);
    if (isLast) return this.#finish(undefined, chunk);
    if (this.#reader?.take(chunk, false)) {
      if (this.#isWanted) this.#watch?.wait();
    } else if (this.#reader) {
      this.#watch?.rest(this.#reader);
      if (this.#isWanted && !this.#queue.isEnded) this.#source.pause();
      this.#isWanted = false;
    }
  }

  /** Cuts the body: its source stalls, its reader takes nothing, or it is too large. */
  #fail(failure: Error): void {
    const { isEnded } = this.#queue;
    this.#queue.isEnded = true;
    this.#finish(failure);
    if (!isEnded) this.#source.cancel(failure);
  }

  #finish(failure: Error | undefined, last?: Uint8Array): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#tap?.onEnd();
    this.#watch?.finish(failure);
    if (last) this.#reader?.take(last, true);
    else this.#reader?.end(failure);
  }
}
