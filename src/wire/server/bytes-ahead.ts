/**
 * Bytes that arrive behind a request before it has been answered.
 * @module
 */

import { Buffer } from "node:buffer";
import { Block } from "../codec/block.ts";

/** From this many bytes on, nothing more is read. */
const MAX_BYTES = 65_536;

/** Copies of the bytes. */
export class BytesAhead {
  /** What is left of bytes that were taken; it comes before those in the block. */
  #rest: Buffer | undefined;
  #block: Block | undefined;

  get isEmpty(): boolean {
    return !this.#rest && !this.#block;
  }

  /**
   * Adds bytes.
   *
   * @param isOwn true for the end of what was taken last. It is not copied, or many short requests would be copied again and again
   * @returns true if nothing more is to be read
   */
  keep(bytes: Buffer, isOwn: boolean): boolean {
    if (isOwn) this.#rest = bytes;
    else (this.#block ??= new Block()).add(bytes, 0, bytes.length, 0);
    return (this.#rest?.length ?? 0) + (this.#block?.size ?? 0) >= MAX_BYTES;
  }

  /** Removes and returns all of them; `undefined` if there are none. */
  takeAll(): Buffer | undefined {
    const first = this.take();
    const second = this.take();
    return first && second ? Buffer.concat([first, second]) : first;
  }

  /** Removes and returns the first of them; `undefined` if there are none. */
  take(): Buffer | undefined {
    const bytes = this.#rest ?? this.#block?.bytes;
    if (!this.#rest) this.#block = undefined;
    this.#rest = undefined;
    return bytes;
  }
}
