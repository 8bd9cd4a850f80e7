/**
 * The limits of a body: idle time of its source and of its reader, and size.
 * @module
 */

import { type Deadline, type Deadlines, Stall } from "./deadlines.ts";
import type { FlowReader } from "./flow-reader.ts";

/** The limits and callbacks of a body. Watching buffers nothing. */
export interface BodyWatch {
  /** Timeouts for the next chunk; none if absent. */
  idle?: Deadlines | undefined;
  /** Maximum bytes of the body; 0 for no limit. */
  maxBytes: number;
  /** Timeouts between two looks at a reader that wants nothing; none if absent. They need `untaken`. */
  look?: Deadlines | undefined;
  /** Makes the failure for a source that stalls. */
  stalled(): Error;
  /** Makes the failure for a reader that takes nothing. */
  untaken?(): Error;
  /** Makes the failure for a body that exceeds `maxBytes`. */
  tooLarge(): Error;
  /** Called when the wait for a chunk starts. */
  onWait?(): void;
  /** Called when a chunk arrives, and at the end. */
  onChunk?(bytes: number): void;
  /** Called once when the body has ended: read, failed or cancelled. */
  onEnd?(failure?: unknown): void;
}

/** Sees the bytes of a body as they pass, and changes nothing. */
export interface BodyTap {
  /** Called with each chunk, which may be part of much larger memory. */
  onBytes(chunk: Uint8Array): void;
  /** Called when the body has ended: read, cut or cancelled. */
  onEnd(): void;
}

/** Watches one body. */
export class FlowWatch {
  readonly #watch: BodyWatch;
  readonly #fail: (failure: Error) => void;
  #idle: Deadline | undefined;
  #look: Deadline | undefined;
  readonly #stall = new Stall();
  /** The reader, while it wants nothing. */
  #resting: FlowReader | undefined;
  #size = 0;

  /** @param fail called when the source stalls, or the reader takes nothing */
  constructor(watch: BodyWatch, fail: (failure: Error) => void) {
    this.#watch = watch;
    this.#fail = fail;
  }

  /** Starts the wait for a chunk, limited by the idle timeout. */
  wait(): void {
    const watch = this.#watch;
    this.#wake();
    if (this.#idle) this.#idle.start();
    else this.#idle = watch.idle?.start(() => this.#fail(watch.stalled()));
    watch.onWait?.();
  }

  /** No chunk is wanted for now. The idle timeout stops, and the reader must take what it has. */
  rest(reader: FlowReader): void {
    if (this.#resting) return;
    this.#idle?.stop();
    this.#resting = reader;
    if (this.#look) this.#look.start();
    else this.#look = this.#watch.look?.start(() => this.#lookAtReader());
  }

  #lookAtReader(): void {
    // A reader without `unsent` calls `want` as soon as it takes another byte.
    const taken = -(this.#resting?.unsent ?? 0);
    const { untaken } = this.#watch;
    if (untaken && this.#stall.look(true, taken)) this.#fail(untaken());
    else this.#look?.start();
  }

  #wake(): void {
    if (!this.#resting) return;
    this.#resting = undefined;
    this.#look?.stop();
    this.#stall.look(false, 0);
  }

  #stop(): void {
    this.#idle?.stop();
    this.#wake();
  }

  /** Counts a chunk. Returns a failure if the body is too large. */
  count(bytes: number): Error | undefined {
    const watch = this.#watch;
    this.#size += bytes;
    watch.onChunk?.(bytes);
    return watch.maxBytes > 0 && this.#size > watch.maxBytes ? watch.tooLarge() : undefined;
  }

  /** The body has been read to its end, or was cut. */
  finish(failure: Error | undefined): void {
    this.#stop();
    this.#watch.onChunk?.(0);
    this.#watch.onEnd?.(failure);
  }

  /** The body has been cancelled. */
  cancel(): void {
    this.#stop();
    this.#watch.onEnd?.();
  }
}
