/**
 * Tells a reader who is slow from one who takes nothing at all.
 * @module
 */

import { createDeadlines, type Deadline, lookMsOf, MAX_STILL_LOOKS } from "./deadlines.ts";

/** The looks at one reader. */
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

/** A `Set` or `Map` of those that are looked at. */
type LookedAt = Pick<ReadonlyMap<unknown, { look(): void }>, "size" | "values">;

/** Looks at all of many from time to time, while there are any: one timer for all. */
export class Looks {
  readonly #all: LookedAt;
  readonly #next: Deadline;

  /** @param idleTimeoutMs the setting (see `lookMsOf`) */
  constructor(all: LookedAt, idleTimeoutMs: number) {
    this.#all = all;
    this.#next = createDeadlines(lookMsOf(idleTimeoutMs), false).start(() => this.#look());
    this.#next.stop();
  }

  /** One has come. */
  added(): void {
    if (this.#all.size === 1) this.#next.start();
  }

  /** One has gone. */
  deleted(): void {
    if (this.#all.size === 0) this.#next.stop();
  }

  #look(): void {
    this.#next.start();
    for (const one of this.#all.values()) one.look();
  }
}
