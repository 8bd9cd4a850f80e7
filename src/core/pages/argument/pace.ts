/**
 * Splits long work into stretches, so that it does not block other requests.
 * @module
 */

/** Bytes per stretch: a few milliseconds, even before the code is compiled. */
export const STRETCH_BYTES: number = 256 * 1024;

/** Works through long texts for one request. */
export class Pace {
  #left = STRETCH_BYTES;

  /**
   * Works on that many bytes, and makes way for other requests between two stretches. Less than `STRETCH_BYTES` in all
   * never waits.
   *
   * @param stretch works on the bytes from `start` to `end`; returns `false` if the rest is not needed
   */
  async work(bytes: number, stretch: (start: number, end: number) => boolean | void): Promise<void> {
    for (let start = 0; start < bytes; start += STRETCH_BYTES) {
      const end = Math.min(start + STRETCH_BYTES, bytes);
      if (stretch(start, end) === false) return;
      this.#left -= end - start;
      if (this.#left > 0) continue;
      this.#left = STRETCH_BYTES;
      // A task, not a microtask, so that sockets get their turn first.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }
}
