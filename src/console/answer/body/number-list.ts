/**
 * A list of numbers that grows: a body of 8 MB may have millions of lines.
 * @module
 */

/** Numbers of a page, as a power of two. A list that grows by pages is never copied. */
const BITS = 16;
const MASK = (1 << BITS) - 1;

/** Whole numbers from 0 to 2^32 - 1, in the order in which they came. */
export class NumberList {
  readonly #pages: Uint32Array[] = [];
  length = 0;

  push(value: number): void {
    const page = this.#pages[this.length >>> BITS] ??= new Uint32Array(MASK + 1);
    page[this.length & MASK] = value;
    this.length += 1;
  }

  /** The number at this place; 0 beyond the end. */
  at(index: number): number {
    return index < this.length ? this.#pages[index >>> BITS]?.[index & MASK] ?? 0 : 0;
  }

  set(index: number, value: number): void {
    const page = this.#pages[index >>> BITS];
    if (page) page[index & MASK] = value;
  }

  clear(): void {
    this.length = 0;
  }

  /** The last place whose number is at most `value`, in a list that ascends; 0 if there is none. */
  lastAtMost(value: number): number {
    let low = 0;
    let high = this.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.at(middle) <= value) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
