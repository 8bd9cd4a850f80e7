/**
 * A body whose chunks are pushed in as they come: handed on to a writable or as a web stream, and watched on its way.
 * @module
 */

import type { Deadline, Deadlines } from "./deadlines.ts";
import { concat } from "./concat.ts";

/** So many bytes are kept for a reader that isn't there yet; then the source is paused. */
const QUEUED_BYTES = 65_536;

/** Where the chunks come from. */
export interface FlowSource {
  /** Asks for more. Called first when there is a reader. */
  resume(): void;
  /** What still comes is taken, but there should be no more. */
  pause(): void;
  cancel(reason?: unknown): void;
  /** All that was pushed has left: its memory may be used again. */
  spent?(): void;
}

/** What is watched of a body; nothing of it is kept in memory for that. */
export interface BodyWatch {
  /** How long the source may take for a chunk that is waited for; for ever where there are none. */
  idle?: Deadlines | undefined;
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

/** For what body, and for how long, it is worth while to wait until it is whole. */
export interface Patience {
  /** Longer bodies are not waited for. */
  maxBytes: number;
  /** Longer ones stay in pieces when they are whole: to join them costs more than to hand them on one by one. */
  joinedBytes: number;
  /** Calls back when it is over, unless it is stopped. */
  wait(expire: () => void): { stop(): void };
}

/** Who reads: `take` gives false while it wants no more. */
interface Reader {
  take(chunk: Uint8Array, isLast: boolean): boolean;
  end(failure: Error | undefined): void;
}

/** A body that is read once. */
export class FlowBody {
  /** So many bytes are taken from the source before the reader of the stream asks for them. */
  aheadBytes = QUEUED_BYTES;
  readonly #source: FlowSource;
  #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  #maxQueuedBytes = QUEUED_BYTES;
  #reader: Reader | undefined;
  #watch: BodyWatch | undefined;
  #idle: Deadline | undefined;
  #size = 0;
  #isWanted = false;
  /** Nothing more comes in. */
  #isEnded = false;
  #failure: Error | undefined;
  /** Nobody reads on. */
  #isOver = false;
  #onEnded: (() => void) | undefined;

  constructor(source: FlowSource) {
    this.#source = source;
  }

  /** Takes the next chunk from the source; the last one ends the body. */
  push(chunk: Uint8Array, isLast = false): void {
    if (this.#isEnded || this.#isOver) return;
    if (isLast) this.#isEnded = true;
    if (this.#reader) return this.#hand(chunk, isLast);
    this.#queue.push(chunk);
    this.#queuedBytes += chunk.length;
    if (isLast) this.#onEnded?.();
    else if (this.#queuedBytes >= this.#maxQueuedBytes) this.#source.pause();
  }

  /** The source has no more: the body is whole, or it is cut. */
  end(failure?: Error): void {
    if (this.#isEnded || this.#isOver) return;
    this.#isEnded = true;
    this.#failure = failure;
    if (this.#reader) this.#finish(failure);
    this.#onEnded?.();
  }

  watch(watch: BodyWatch): void {
    this.#watch = watch;
  }

  /** Gives it up, whether somebody reads or not. */
  cancel(reason?: unknown): void {
    if (this.#isOver) return;
    this.#close();
    this.#watch?.onEnd?.();
    if (!this.#isEnded) this.#source.cancel(reason);
  }

  /** Writes the body and ends the sink. A failure destroys it; a sink that closes early gives the body up. */
  pipe(sink: Sink): void {
    sink.on("drain", () => {
      this.#source.spent?.();
      this.#want();
    });
    sink.on("close", () => this.cancel());
    this.#attach({
      take: (chunk, isLast) => {
        const isWanted = isLast ? sink.end(chunk) : sink.write(chunk);
        if (this.#source.spent && sink.writableLength === 0) this.#source.spent();
        return isWanted !== false;
      },
      end: (failure) => void (failure ? sink.destroy(failure) : sink.end()),
    });
    this.#want();
  }

  /** A body that is whole already fills it: then `Bun.serve` (1.4) sends its length. */
  stream(): ReadableStream<Uint8Array> {
    const highWaterMark = this.#isEnded ? this.#queuedBytes + 1 : this.aheadBytes;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) =>
          this.#attach({
            take(chunk, isLast) {
              controller.enqueue(chunk);
              if (isLast) controller.close();
              return (controller.desiredSize ?? 0) > 0;
            },
            end: (failure) => failure ? controller.error(failure) : controller.close(),
          }),
        pull: () => this.#want(),
        cancel: (reason) => this.cancel(reason),
      },
      new ByteLengthQueuingStrategy({ highWaterMark }),
    );
  }

  /**
   * Keeps the body in memory until it is whole or the patience is over; then it is read on as usual.
   *
   * @param done called once: with the whole body, with `undefined` when it is read on, or with what cut it
   */
  gather(
    { maxBytes, joinedBytes, wait }: Patience,
    done: (whole?: Uint8Array<ArrayBuffer>, failure?: Error) => void,
  ): void {
    this.#maxQueuedBytes = maxBytes;
    const finish = () => {
      patience.stop();
      this.#maxQueuedBytes = QUEUED_BYTES;
      this.#onEnded = undefined;
      const isJoined = this.#isEnded && !this.#failure &&
        (this.#queuedBytes <= joinedBytes || this.#queue.length === 1);
      done(isJoined ? concat(this.#queue, this.#queuedBytes) : undefined, this.#failure);
    };
    const patience = wait(finish);
    this.#onEnded = finish;
    this.#source.resume();
  }

  #attach(reader: Reader): void {
    this.#reader = reader;
    const queue = this.#queue;
    this.#queue = [];
    queue.forEach((chunk, index) =>
      this.#hand(chunk, this.#isEnded && !this.#failure && index === queue.length - 1)
    );
    if (this.#isEnded) this.#finish(this.#failure);
  }

  #hand(chunk: Uint8Array, isLast: boolean): void {
    const watch = this.#watch;
    if (this.#isOver) return;
    this.#size += chunk.length;
    watch?.onChunk?.(chunk.length);
    if (watch && watch.maxBytes > 0 && this.#size > watch.maxBytes) return this.#fail(watch.tooLarge());
    if (isLast) return this.#finish(undefined, chunk);
    if (this.#reader?.take(chunk, false)) {
      if (this.#isWanted) this.#wait();
    } else if (this.#isWanted) {
      this.#isWanted = false;
      this.#idle?.stop();
      if (!this.#isEnded) this.#source.pause();
    }
  }

  #want(): void {
    if (this.#isWanted || this.#isOver || this.#isEnded) return;
    this.#isWanted = true;
    this.#wait();
    this.#source.resume();
  }

  /** Nothing may come only for a while; as long as nothing is asked for, that is nobody's fault. */
  #wait(): void {
    const watch = this.#watch;
    if (this.#idle) this.#idle.start();
    else this.#idle = watch?.idle?.start(() => this.#fail(watch.stalled()));
    watch?.onWait?.();
  }

  /** The source fails on our side: it stalls, or it is too large. */
  #fail(failure: Error): void {
    const isEnded = this.#isEnded;
    this.#isEnded = true;
    this.#finish(failure);
    if (!isEnded) this.#source.cancel(failure);
  }

  #finish(failure: Error | undefined, last?: Uint8Array): void {
    if (this.#isOver) return;
    this.#close();
    this.#watch?.onChunk?.(0);
    this.#watch?.onEnd?.(failure);
    if (last) this.#reader?.take(last, true);
    else this.#reader?.end(failure);
  }

  #close(): void {
    this.#isOver = true;
    this.#idle?.stop();
  }
}
