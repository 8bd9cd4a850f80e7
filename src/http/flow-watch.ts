/**
 * The limits of a body on its way: how long it may stand still, and how many bytes it may have.
 * @module
 */

import type { Deadline, Deadlines } from "./deadlines.ts";

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

  /** A chunk is waited for: nothing may come only for a while. */
  wait(): void {
    const watch = this.#watch;
    if (this.#idle) this.#idle.start();
    else this.#idle = watch.idle?.start(() => this.#fail(watch.stalled()));
    watch.onWait?.();
  }

  /** Nothing is asked for: as long as that lasts, nothing that does not come is anybody's fault. */
  rest(): void {
    this.#idle?.stop();
  }

  /** Counts a chunk; gives the failure of a body that has grown too large. */
  count(bytes: number): Error | undefined {
    const watch = this.#watch;
    this.#size += bytes;
    watch.onChunk?.(bytes);
    return watch.maxBytes > 0 && this.#size > watch.maxBytes ? watch.tooLarge() : undefined;
  }

  /** The body is read to its end, or to what cut it. */
  finish(failure: Error | undefined): void {
    this.rest();
    this.#watch.onChunk?.(0);
    this.#watch.onEnd?.(failure);
  }

  /** Nobody wants the rest. */
  cancel(): void {
    this.rest();
    this.#watch.onEnd?.();
  }
}
