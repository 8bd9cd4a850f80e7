/**
 * Which passes for the console's WebSockets were used.
 * @module
 */

/** Used passes to remember; more than anyone opens while a pass is good. */
const MAX_USED = 1_000;

/** The passes that this process has taken: each is good once. */
export class UsedPasses {
  readonly #used = new Map<string, number>();

  /** Takes a pass; false if it was taken before. */
  take(nonce: string, end: number, now: number): boolean {
    for (const [old, oldEnd] of this.#used) if (oldEnd <= now) this.#used.delete(old);
    if (this.#used.has(nonce) || this.#used.size >= MAX_USED) return false;
    this.#used.set(nonce, end);
    return true;
  }
}
