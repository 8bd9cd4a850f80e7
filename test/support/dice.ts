/**
 * Random cases that come again: the same seed deals the same ones.
 * @module
 */

/** Mulberry32: the same numbers for the same seed. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.roll() * items.length)] as T;
  }

  /** One to three of them. */
  some<T>(items: readonly T[]): T[] {
    return Array.from({ length: 1 + Math.floor(this.roll() * 3) }, () => this.pick(items));
  }

  maybe<T>(make: () => T): T | undefined {
    return this.roll() < 0.5 ? make() : undefined;
  }
}
