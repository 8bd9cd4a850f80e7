/**
 * Splits long work into stretches, so that it does not block other requests.
 * @module
 */

/** Bytes per stretch: a few milliseconds, even before the code is compiled. */
export const STRETCH_BYTES: number = 256 * 1024;

/** Counts the bytes that one task processes. */
export class Pace {
  #left = STRETCH_BYTES;

  /**
   * Counts processed bytes.
   *
   * @returns a promise to wait for if it is time for other requests; work below `STRETCH_BYTES` never waits
   */
  count(bytes: number): Promise<void> | undefined {
    this.#left -= bytes;
    if (this.#left > 0) return undefined;
    this.#left = STRETCH_BYTES;
    // A task, not a microtask, so that sockets get their turn first.
    return new Promise((resolve) => setTimeout(resolve, 0));
  }
}
