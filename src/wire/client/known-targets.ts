/**
 * Remembers from past connections which targets close idle connections without announcing it, while a request may be on its
 * way, and which targets speak HTTP/1.0.
 * @module
 */

/** If a target closes two idle connections within this many milliseconds, its connections are no longer kept. */
const WITHIN_MS = 60_000;
/** For this many milliseconds after that, its connections are not kept. */
const BANNED_MS = 300_000;
/** If there are this many targets, the next new one clears what is known of all of them. */
const MOST_TARGETS = 1_000;

/** When a target last closed a connection, and until when its connections are not kept; by `performance.now()`. */
interface Known {
  closedAt: number;
  bannedUntil: number;
  isOld: boolean;
}

/** What is known of targets, by pool. */
export class KnownTargets {
  readonly #known = new Map<string, Known>();

  /** Notes that a target has closed an idle connection without having announced it. */
  addSilence(pool: string): void {
    const known = this.#of(pool);
    const now = performance.now();
    const isAgain = now - known.closedAt < WITHIN_MS || now < known.bannedUntil;
    known.closedAt = now;
    known.bannedUntil = isAgain ? now + BANNED_MS : 0;
  }

  /** Notes whether a target answered with HTTP/1.0; `undefined` if it has not answered. */
  addVersion(pool: string, isOld: boolean | undefined): void {
    if (isOld) this.#of(pool).isOld = true;
    else if (isOld === false && this.isOld(pool)) this.#of(pool).isOld = false;
  }

  /** True while connections to this target are not kept. */
  isSilent(pool: string): boolean {
    const known = this.#known.get(pool);
    return known !== undefined && performance.now() < known.bannedUntil;
  }

  /** True if its last response was HTTP/1.0, which has no 100: then `Expect` is not sent (RFC 9110 §10.1.1). */
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
