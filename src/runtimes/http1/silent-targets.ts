/**
 * Targets that close a connection after an answer without having said so: a request may be on its way there just then.
 * @module
 */

/** None of a target's connections is kept once it has closed two within this many milliseconds. */
const WITHIN_MS = 60_000;
/** So many milliseconds none is kept then. */
const BANNED_MS = 300_000;
/** Past so many targets, what is known of all of them is forgotten. */
const MOST_TARGETS = 1_000;

/** When a target closed a connection last, and until when none is kept; by `performance.now()`. */
interface Known {
  readonly closedAt: number;
  readonly bannedUntil: number;
}

/** What is known of them, by pool. */
export class SilentTargets {
  readonly #known = new Map<string, Known>();

  /** One has closed a connection. */
  add(pool: string): void {
    const known = this.#known.get(pool);
    if (!known && this.#known.size >= MOST_TARGETS) this.#known.clear();
    const now = performance.now();
    const isAgain = known !== undefined && (now - known.closedAt < WITHIN_MS || now < known.bannedUntil);
    this.#known.set(pool, { closedAt: now, bannedUntil: isAgain ? now + BANNED_MS : 0 });
  }

  /** True while no connection to it is kept. */
  has(pool: string): boolean {
    const known = this.#known.get(pool);
    return known !== undefined && performance.now() < known.bannedUntil;
  }
}
