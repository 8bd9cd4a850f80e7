/**
 * What is known of targets from their last connections: which close them without having said so, so that a request may be on
 * its way just then, and which speak HTTP/1.0.
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
  closedAt: number;
  bannedUntil: number;
  isOld: boolean;
}

/** What is known of them, by pool. */
export class KnownTargets {
  readonly #known = new Map<string, Known>();

  /** One has closed a connection. */
  addSilence(pool: string): void {
    const known = this.#of(pool);
    const now = performance.now();
    const isAgain = now - known.closedAt < WITHIN_MS || now < known.bannedUntil;
    known.closedAt = now;
    known.bannedUntil = isAgain ? now + BANNED_MS : 0;
  }

  /** One has answered by HTTP/1.0 or not; `undefined` if it has not answered. */
  addVersion(pool: string, isOld: boolean | undefined): void {
    if (isOld) this.#of(pool).isOld = true;
    else if (isOld === false && this.isOld(pool)) this.#of(pool).isOld = false;
  }

  /** True while no connection to it is kept. */
  isSilent(pool: string): boolean {
    const known = this.#known.get(pool);
    return known !== undefined && performance.now() < known.bannedUntil;
  }

  /** True if it answered by HTTP/1.0 last. It knows no 100, so it is not asked for one (RFC 9110 §10.1.1). */
  isOld(pool: string): boolean {
    return this.#known.get(pool)?.isOld === true;
  }

  #of(pool: string): Known {
    let known = this.#known.get(pool);
    if (known) return known;
    if (this.#known.size >= MOST_TARGETS) this.#known.clear();
    this.#known.set(pool, known = { closedAt: -Infinity, bannedUntil: 0, isOld: false });
    return known;
  }
}
