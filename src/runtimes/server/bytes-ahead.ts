/**
 * Bytes that arrive behind a request before it has been answered.
 * @module
 */

import type { Buffer } from "node:buffer";
import { Block } from "../http1/block.ts";

/** From this many bytes on, nothing more is read. */
const MAX_BYTES = 65_536;

/** Copies of the bytes. */
export class BytesAhead {
  #block: Block | undefined;
  #size = 0;

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  /** Adds bytes; true if it is full. */
  add(bytes: Buffer): boolean {
    this.#block ??= new Block();
    this.#block.add(bytes, 0, bytes.length, 0);
    this.#size += bytes.length;
    return this.#size >= MAX_BYTES;
  }

  /** Removes and returns them; `undefined` if there are none. */
  take(): Buffer | undefined {
    const bytes = this.#block?.bytes;
    this.#block = undefined;
    this.#size = 0;
    return bytes;
  }
}
