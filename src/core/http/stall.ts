/**
 * Distinguishes a slow reader from one that takes nothing at all.
 * @module
 */

import { createDeadlines, type Deadline, lookMsOf, MAX_STILL_LOOKS } from "./deadlines.ts";

/** Tracks the progress of one reader, from look to look. */
export class Stall {
  /** What had been taken at the last look; `NaN` while nothing waits. */
  #taken = NaN;
  #stillLooks = 0;

  /**
   * Looks once. True if nothing has been taken for too long.
   *
   * @param isWaiting whether bytes wait to be taken
   * @param taken a number that differs with every byte that is taken
   */
  look(isWaiting: boolean, taken: number): boolean {
    this.#stillLooks = isWaiting && taken === this.#taken ? this.#stillLooks + 1 : 0;
    this.#taken = isWaiting ? taken : NaN;
    return this.#stillLooks >= MAX_STILL_LOOKS;
  }
}

/** A `Set` or `Map` of the objects to look at. */
type LookedAt = Pick<ReadonlyMap<unknown, { look(): void }>, "size" | "values">;

/** Looks at all objects of a collection at intervals, while there are any: one timer serves all. */
export class Looks {
  readonly #all: LookedAt;
  readonly #next: Deadline;

  /** @param idleTimeoutMs the setting (see `lookMsOf`) */
  constructor(all: LookedAt, idleTimeoutMs: number) {
    this.#all = all;
    this.#next = createDeadlines(lookMsOf(idleTimeoutMs), false).start(() => this.#look());
    this.#next.stop();
  }

  /** Call this after an object was added. */
  added(): void {
    if (this.#all.size === 1) this.#next.start();
  }

  /** Call this after an object was deleted. */
  deleted(): void {
    if (this.#all.size === 0) this.#next.stop();
  }

  #look(): void {
    this.#next.start();
    for (const one of this.#all.values()) one.look();
  }
}
