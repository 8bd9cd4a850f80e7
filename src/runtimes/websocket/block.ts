/**
 * Collects bytes that arrive in parts.
 * @module
 */

import { Buffer } from "node:buffer";

/** So much room is made at once for bytes that are announced; for more it is made as they come. */
const EARLY_BYTES = 1024 * 1024;

const EMPTY = Buffer.alloc(0);

/** One growing block. Parts are copied, because a million one-byte parts would take a hundred times the memory. */
export class Block {
  #bytes: Buffer<ArrayBuffer> = EMPTY;
  #size = 0;

  /** Bytes that are kept in memory, filled or not. */
  get capacity(): number {
    return this.#bytes.length;
  }

  /** Adds what lies between two places of a chunk; `announced` is how many bytes there will be in all, as far as is known. */
  add(chunk: Buffer, start: number, end: number, announced: number): void {
    const size = this.#size + end - start;
    if (size > this.#bytes.length) this.#grow(size, announced);
    chunk.copy(this.#bytes, this.#size, start, end);
    this.#size = size;
  }

  /** What has come so far. */
  get bytes(): Buffer<ArrayBuffer> {
    return this.#size === this.#bytes.length ? this.#bytes : this.#bytes.subarray(0, this.#size);
  }

  /** Twice the room each time, so that a byte is copied about twice, however many parts there are. */
  #grow(size: number, announced: number): void {
    const room = Math.max(size, 2 * this.#bytes.length, Math.min(announced, EARLY_BYTES));
    const larger = Buffer.allocUnsafe(room);
    if (this.#size > 0) this.#bytes.copy(larger, 0, 0, this.#size);
    this.#bytes = larger;
  }
}
