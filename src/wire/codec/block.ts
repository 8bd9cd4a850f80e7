/**
 * Collects bytes that arrive in parts.
 * @module
 */

import { Buffer } from "node:buffer";

/** Maximum bytes to allocate at once for announced bytes; more is allocated as they arrive. */
const EARLY_BYTES = 1024 * 1024;

const EMPTY = Buffer.alloc(0);

/** One growing block. Parts are copied, because a million one-byte parts would take a hundred times the memory. */
export class Block {
  #bytes: Buffer<ArrayBuffer> = EMPTY;
  #size = 0;

  /** Allocated bytes, filled or not. */
  get capacity(): number {
    return this.#bytes.length;
  }

  /** Bytes so far. */
  get size(): number {
    return this.#size;
  }

  /** Adds part of a chunk. `announced` is the expected total size, as far as it is known. */
  add(chunk: Buffer, start: number, end: number, announced: number): void {
    const size = this.#size + end - start;
    if (size > this.#bytes.length) this.#grow(size, announced);
    chunk.copy(this.#bytes, this.#size, start, end);
    this.#size = size;
  }

  /** The bytes so far. */
  get bytes(): Buffer<ArrayBuffer> {
    return this.#size === this.#bytes.length ? this.#bytes : this.#bytes.subarray(0, this.#size);
  }

  /** Doubles the size each time, so each byte is copied about twice, however many parts there are. */
  #grow(size: number, announced: number): void {
    const room = Math.max(size, 2 * this.#bytes.length, Math.min(announced, EARLY_BYTES));
    const larger = Buffer.allocUnsafe(room);
    if (this.#size > 0) this.#bytes.copy(larger, 0, 0, this.#size);
    this.#bytes = larger;
  }
}

/** A block with the rest of these bytes: the same one, if that is all that is in it. */
export function keepRest(rest: Buffer, block: Block | undefined): Block {
  if (block?.size === rest.length) return block;
  const own = new Block();
  own.add(rest, 0, rest.length, 0);
  return own;
}
