/**
 * A body that is a readable of `node:stream`: piped to a writable without web streams in between, and watched on its way.
 * @module
 */

import type { Readable, Writable } from "node:stream";
import { type BodySource, type BodyWatch, watchStream } from "../index.ts";
import { type SourceOptions, streamFrom } from "./streams.ts";

/** A readable as a body. It is read once: piped, or as a stream. */
export class NodeBody implements BodySource {
  readonly #readable: Readable;
  readonly #options: SourceOptions;
  #watch: BodyWatch | undefined;

  constructor(readable: Readable, options: SourceOptions = {}) {
    this.#readable = readable;
    this.#options = options;
    // A failure that comes before anyone reads must not take the process along; readers see it all the same.
    readable.on("error", () => {});
  }

  watch(watch: BodyWatch): void {
    this.#watch = watch;
  }

  stream(): ReadableStream<Uint8Array> {
    const stream = streamFrom(this.#readable, this.#options);
    return this.#watch ? watchStream(stream, this.#watch) : stream;
  }

  cancel(): void {
    this.#watch?.onEnd?.();
    if (this.#options.cancel) this.#options.cancel();
    else this.#readable.destroy();
  }

  /** Writes the body and ends the writable. A failure destroys it; a writable that closes early gives the body up. */
  pipe(writable: Writable): void {
    new Pipe(this.#readable, writable, this.#options, this.#watch, () => this.cancel()).start();
  }
}

/** One body on its way into a writable. */
class Pipe {
  readonly #readable: Readable;
  readonly #writable: Writable;
  readonly #options: SourceOptions;
  readonly #watch: BodyWatch | undefined;
  readonly #giveUp: () => void;
  #timer: NodeJS.Timeout | undefined;
  #size = 0;
  #isPaused = true;
  #isOver = false;

  constructor(
    readable: Readable,
    writable: Writable,
    options: SourceOptions,
    watch: BodyWatch | undefined,
    giveUp: () => void,
  ) {
    this.#readable = readable;
    this.#writable = writable;
    this.#options = options;
    this.#watch = watch;
    this.#giveUp = giveUp;
  }

  start(): void {
    const readable = this.#readable;
    readable.on("data", (chunk: Uint8Array) => this.#write(chunk));
    readable.once("end", () => this.#finish(this.#options.failure?.()));
    readable.once("error", (error) => this.#finish(error));
    readable.once("close", () => this.#finish(new Error("closed before its end")));
    this.#writable.on("drain", () => this.#resume());
    this.#writable.once("close", () => this.#stop());
    if (readable.errored) this.#finish(readable.errored);
    else if (readable.destroyed) this.#finish(new Error("closed before its end"));
    else this.#resume();
  }

  #write(chunk: Uint8Array): void {
    if (this.#isOver) return;
    this.#size += chunk.length;
    this.#watch?.onChunk?.(chunk.length);
    const maxBytes = this.#watch?.maxBytes ?? 0;
    if (maxBytes > 0 && this.#size > maxBytes) return this.#fail(this.#watch?.tooLarge());
    if (this.#isLast()) return this.#finish(this.#options.failure?.(), chunk);
    if (!this.#writable.write(chunk)) return this.#pause();
    this.#timer?.refresh();
    this.#watch?.onWait?.();
  }

  /** A message that has been parsed to its end has nothing more to come: its end goes out with its last bytes. */
  #isLast(): boolean {
    return (this.#readable as { complete?: boolean }).complete === true &&
      this.#readable.readableLength === 0;
  }

  #pause(): void {
    this.#isPaused = true;
    this.#readable.pause();
  }

  #resume(): void {
    if (this.#isOver) return;
    this.#isPaused = false;
    const idleMs = this.#watch?.idleMs ?? 0;
    // One timer for the whole body: to make one for each chunk costs more than the chunk.
    if (this.#timer) this.#timer.refresh();
    else if (idleMs > 0) this.#timer = setTimeout(() => this.#stall(), idleMs);
    this.#watch?.onWait?.();
    this.#readable.resume();
  }

  /** Nothing came for a while; while nothing is asked for, that is nobody's fault. */
  #stall(): void {
    if (!this.#isPaused) this.#fail(this.#watch?.stalled());
  }

  /** The source fails on our side: it stalls, or it is too large. */
  #fail(failure: Error | undefined): void {
    this.#finish(failure ?? new Error("given up"));
    if (this.#options.cancel) this.#options.cancel();
    else this.#readable.destroy();
  }

  #finish(failure: Error | null | undefined, last?: Uint8Array): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#watch?.onChunk?.(0);
    this.#watch?.onEnd?.(failure ?? undefined);
    if (failure) this.#writable.destroy(failure);
    else if (last) this.#writable.end(last);
    else this.#writable.end();
  }

  /** Nobody takes the rest. */
  #stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#giveUp();
  }
}
