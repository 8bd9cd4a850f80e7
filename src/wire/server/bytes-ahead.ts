/**
 * Bytes that arrive after a request, before it has been answered.
 * @module
 */

import { Buffer } from "node:buffer";
import { Block } from "../codec/block.ts";

/** Once this many bytes wait, nothing more is read. */
const MAX_BYTES = 65_536;

/** The bytes that wait. */
export class BytesAhead {
  /** The unread rest of bytes that were taken; it precedes the bytes in the block. */
  #rest: Buffer | undefined;
  #block: Block | undefined;

  get isEmpty(): boolean {
    return !this.#rest && !this.#block;
  }

  /**
   * Adds bytes.
   *
   * @param isOwn true for the end of bytes that `take` returned: it comes first, and short requests are copied only once
   * @returns true if reading should pause
   */
  keep(bytes: Buffer, isOwn: boolean): boolean {
    if (isOwn) this.#rest = bytes;
    else (this.#block ??= new Block()).add(bytes, 0, bytes.length, 0);
    return (this.#rest?.length ?? 0) + (this.#block?.size ?? 0) >= MAX_BYTES;
  }

  /** Removes and returns all bytes; `undefined` if there are none. */
  takeAll(): Buffer | undefined {
    const first = this.take();
    const second = this.take();
    return first && second ? Buffer.concat([first, second]) : first;
  }

  /** Removes and returns the first bytes; `undefined` if there are none. */
  take(): Buffer | undefined {
    const bytes = this.#rest ?? this.#block?.bytes;
    if (!this.#rest) this.#block = undefined;
    this.#rest = undefined;
    return bytes;
  }
}
