/**
 * The limits of a body: idle time and size.
 * @module
 */

import type { Deadline, Deadlines } from "./deadlines.ts";

/** The limits and callbacks of a body. Watching buffers nothing. */
export interface BodyWatch {
  /** Timeouts for the next chunk; none if absent. */
  idle?: Deadlines | undefined;
  /** Maximum bytes of the body; 0 for no limit. */
  maxBytes: number;
  /** Makes the failure for a source that stalls. */
  stalled(): Error;
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
  /** Called with each chunk, whose memory may be reused afterwards. */
  onBytes(chunk: Uint8Array): void;
  /** Called when the body has ended: read, cut or cancelled. */
  onEnd(): void;
}

/** Watches one body. */
export class FlowWatch {
  readonly #watch: BodyWatch;
  readonly #fail: (failure: Error) => void;
  #idle: Deadline | undefined;
  #size = 0;

  /** @param fail called when the source stalls */
  constructor(watch: BodyWatch, fail: (failure: Error) => void) {
    this.#watch = watch;
    this.#fail = fail;
  }

  /** Starts the wait for a chunk, limited by the idle timeout. */
  wait(): void {
    const watch = this.#watch;
    if (this.#idle) this.#idle.start();
    else this.#idle = watch.idle?.start(() => this.#fail(watch.stalled()));
    watch.onWait?.();
  }

  /** Stops the idle timeout while no chunk is wanted. */
  rest(): void {
    this.#idle?.stop();
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
    this.rest();
    this.#watch.onChunk?.(0);
    this.#watch.onEnd?.(failure);
  }

  /** The body has been cancelled. */
  cancel(): void {
    this.rest();
    this.#watch.onEnd?.();
  }
}
