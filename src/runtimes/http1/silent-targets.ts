/**
 * Targets that close a connection after an answer without having said so: a request may be on its way there just then.
 * @module
 */

/** So often, within so many milliseconds, a target closes a connection before none of its connections is kept. */
const TWICE = 2;
const WITHIN_MS = 60_000;
/** So many milliseconds none is kept then. */
const BANNED_MS = 300_000;
/** Past so many targets, what is known of all of them is forgotten. */
const MOST_TARGETS = 1_000;

/** The times are those of `performance.now()`. */
interface Known {
  firstAt: number;
  times: number;
}

/** What is known of them, by pool. */
export class SilentTargets {
  readonly #known = new Map<string, Known>();

  /** One has closed a connection. */
  add(pool: string): void {
    const now = performance.now();
    const known = this.#known.get(pool);
    if (known && (now - known.firstAt < WITHIN_MS || isBanned(known, now))) {
      known.times += 1;
      // From the last time on.
      if (known.times >= TWICE) known.firstAt = now;
      return;
    }
    if (this.#known.size >= MOST_TARGETS) this.#known.clear();
    this.#known.set(pool, { firstAt: now, times: 1 });
  }

  /** True while no connection to it is kept. */
  has(pool: string): boolean {
    const known = this.#known.get(pool);
    return known !== undefined && isBanned(known, performance.now());
  }
}

function isBanned({ firstAt, times }: Known, now: number): boolean {
  return times >= TWICE && now - firstAt < BANNED_MS;
}
