/**
 * A list of numbers that grows: a body of 8 MB may have millions of lines.
 * @module
 */

/** Whole numbers from 0 to 2^32 - 1, in the order in which they came. */
export class NumberList {
  #room = new Uint32Array(1_024);
  /** How many there are. */
  length = 0;

  push(value: number): void {
    if (this.length === this.#room.length) {
      const room = new Uint32Array(this.#room.length * 2);
      room.set(this.#room);
      this.#room = room;
    }
    this.#room[this.length++] = value;
  }

  /** The number at this place; 0 beyond the end. */
  at(index: number): number {
    return index < this.length ? this.#room[index] ?? 0 : 0;
  }

  set(index: number, value: number): void {
    this.#room[index] = value;
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
