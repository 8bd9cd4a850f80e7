/**
 * Memory that a connection reads into. Large bodies are read in large blocks, which are used again once they have been sent.
 * @module
 */

import { Buffer } from "node:buffer";
import { Loans } from "../http1/loans.ts";
import type { Spent, WireWatch } from "../http1/wire.ts";
import { BLOCK_BYTES, COPIED_BYTES, giveBackBlock, LARGE_BLOCK_BYTES, takeBlock } from "./spare-blocks.ts";

/** The memory of one connection. */
export class ReadBlocks {
  /** Where small reads go; bytes in it are copied. */
  readonly #room: Uint8Array;
  /** The block for the next read, once it is asked for. */
  #block: Uint8Array | undefined;
  /** Bytes of the next block; 0 for the room. A caller who has stopped reading holds none. */
  #nextBytes = 0;
  readonly #loans = new Loans(giveBackBlock);

  /** @param roomBytes memory that the connection keeps while nothing large arrives */
  constructor(roomBytes: number) {
    this.#room = new Uint8Array(roomBytes);
  }

  /** The memory for the next read. */
  get next(): Uint8Array {
    if (this.#nextBytes > 0) this.#block ??= new Uint8Array(takeBlock(this.#nextBytes));
    return this.#block ?? this.#room;
  }

  /** Hands out the bytes of a read into `next`. They stay as they are until what `begin` has returned is called. */
  hand(size: number, watch: Pick<WireWatch, "onBytes">): void {
    const block = this.next;
    const memory = block.buffer as ArrayBuffer;
    const isFull = size === block.length;
    const held = this.#block;
    this.#block = undefined;
    if (size > COPIED_BYTES) {
      this.#nextBytes = isFull ? LARGE_BLOCK_BYTES : BLOCK_BYTES;
      return this.#loans.hand(memory, Buffer.from(memory, 0, size), watch);
    }
    this.#nextBytes = isFull ? BLOCK_BYTES : 0;
    const bytes = Buffer.allocUnsafe(size);
    bytes.set(block.subarray(0, size));
    if (held) giveBackBlock(memory);
    watch.onBytes(bytes);
  }

  /**
   * A message begins.
   *
   * @returns says whether all bytes of this message have been sent
   */
  begin(): Spent {
    return this.#loans.begin();
  }
}
