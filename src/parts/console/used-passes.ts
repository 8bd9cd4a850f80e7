/**
 * Which passes for the console's WebSockets were used.
 * @module
 */

/** Maximum used passes to remember; more than anyone opens while a pass is valid. */
const MAX_USED = 1_000;

/** The passes that were used in this process: each is valid once. */
export class UsedPasses {
  readonly #used = new Map<string, number>();

  /** Takes a pass; false if it was taken before, or if `MAX_USED` passes are remembered. */
  take(nonce: string, end: number, now: number): boolean {
    for (const [old, oldEnd] of this.#used) if (oldEnd <= now) this.#used.delete(old);
    if (this.#used.has(nonce) || this.#used.size >= MAX_USED) return false;
    this.#used.set(nonce, end);
    return true;
  }
}
