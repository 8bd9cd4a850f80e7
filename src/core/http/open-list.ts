/**
 * What is open: many things that come and go, each of which knows its place.
 *
 * No `Set` or `Map`: as they change, those of V8 copy themselves again and again, and each copy refers to the next. Once one
 * has grown old, small collections take all later ones for alive, with everything that was ever in them.
 * @module
 */

import { createDeadlines, type Deadline, lookMsOf } from "./deadlines.ts";

/** Something that can be in one such list. */
export interface Placed {
  /** Its place in the list; only the list sets it. */
  place: number;
}

/** What is open, in no order. */
export class OpenList<T extends Placed> {
  readonly #all: T[] = [];

  /** How many there are. */
  get size(): number {
    return this.#all.length;
  }

  add(one: T): void {
    one.place = this.#all.push(one) - 1;
  }

  /** Has no effect on what is not in the list. */
  delete(one: Placed): void {
    if (this.#all[one.place] !== one) return;
    const last = this.#all.pop()!;
    if (last === one) return;
    this.#all[one.place] = last;
    last.place = one.place;
  }

  /** Those that are in it now, however it changes meanwhile. */
  values(): T[] {
    return [...this.#all];
  }
}

/** What is open, and looked at regularly: one timer serves all, while there are any. */
export class WatchedList<T extends Placed & { look(): void }> extends OpenList<T> {
  readonly #next: Deadline;

  /** @param idleTimeoutMs the setting (see `lookMsOf`) */
  constructor(idleTimeoutMs: number) {
    super();
    this.#next = createDeadlines(lookMsOf(idleTimeoutMs), false).start(() => this.#look());
    this.#next.stop();
  }

  override add(one: T): void {
    super.add(one);
    if (this.size === 1) this.#next.start();
  }

  override delete(one: Placed): void {
    super.delete(one);
    if (this.size === 0) this.#next.stop();
  }

  #look(): void {
    this.#next.start();
    for (const one of this.values()) one.look();
  }
}
