/**
 * Joins the short chunks of a body that arrive in one read. A short piece costs as much to forward as a long one, so a peer
 * that sends one byte per chunk would delay all other connections.
 * @module
 */

import { Buffer } from "node:buffer";
import type { Take } from "./decoder.ts";
import { part } from "./buffers.ts";

/** Chunks of more than this many bytes are passed on unjoined. */
const JOINED_BYTES = 4_096;
/** Maximum bytes of a joined piece. */
const BLOCK_BYTES = 16_384;
/** Up to this many bytes, a loop copies faster than `Buffer.copy`. */
const LOOP_BYTES = 32;

/** The chunks of one read. */
export class JoinedChunks {
  readonly #bytes: Buffer;
  readonly #take: Take;
  /** Offsets of the first short chunk that waits; most reads contain only one. */
  #start = 0;
  #end = 0;
  #block: Buffer | undefined;
  #size = 0;

  /**
   * @param bytes the bytes of the read
   * @param take receives the pieces
   */
  constructor(bytes: Buffer, take: Take) {
    this.#bytes = bytes;
    this.#take = take;
  }

  /** Adds the chunk between these offsets of the read. */
  add(start: number, end: number): void {
    if (end - start > JOINED_BYTES) {
      this.flush();
      this.#take(part(this.#bytes, start, end), false);
    } else if (this.#end === 0 || !this.#join(start, end)) {
      this.flush();
      this.#start = start;
      this.#end = end;
    }
  }

  /** Passes on what has been joined so far. */
  flush(): void {
    if (this.#end === 0) return;
    const bytes = this.#block?.subarray(0, this.#size) ?? part(this.#bytes, this.#start, this.#end);
    this.#block = undefined;
    this.#size = this.#end = 0;
    this.#take(bytes, false);
  }

  /** Appends a chunk to the ones before; false if there is no room. */
  #join(start: number, end: number): boolean {
    if (!this.#block) {
      // The rest of the read is long enough for all of its chunks.
      this.#block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, this.#bytes.length - this.#start));
      this.#copy(this.#start, this.#end);
    }
    if (this.#size + end - start > this.#block.length) return false;
    this.#copy(start, end);
    return true;
  }

  #copy(start: number, end: number): void {
    const block = this.#block!;
    const bytes = this.#bytes;
    if (end - start > LOOP_BYTES) bytes.copy(block, this.#size, start, end);
    else for (let at = start, to = this.#size; at < end; at += 1, to += 1) block[to] = bytes[at]!;
    this.#size += end - start;
  }
}
