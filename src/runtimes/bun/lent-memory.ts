/**
 * The memory of large chunks, given back as soon as they have been sent.
 *
 * Bun (1.4) reads each chunk into new memory. What the collector gives back later has left the processor's caches by then,
 * and large bodies take a tenth longer.
 * @module
 */

import type { Buffer } from "node:buffer";
import { Loans } from "../http1/loans.ts";
import type { Spent, WireWatch } from "../http1/wire.ts";

/** Smaller chunks are left to the collector. */
const LEAST_BYTES = 65_536;

/** Memory as Bun has it, declared so that every compiler can check this file. */
interface OwnMemory extends ArrayBuffer {
  /** Gives the memory back. Whoever still has it sees nothing in it. */
  transfer(length: 0): ArrayBuffer;
}

/** The memory of one connection. */
export class LentMemory {
  readonly #loans = new Loans<OwnMemory>((memory) => void memory.transfer(0));

  /** Hands out the bytes of a read. They stay as they are until it is said that they have been sent. */
  hand(bytes: Buffer, watch: Pick<WireWatch, "onBytes">): void {
    const memory = bytes.buffer as OwnMemory;
    const isOwn = bytes.length === memory.byteLength;
    if (isOwn && bytes.length >= LEAST_BYTES) this.#loans.hand(memory, bytes, watch);
    else watch.onBytes(bytes);
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
