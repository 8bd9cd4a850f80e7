/**
 * The memory of large chunks, given back as soon as they have been sent.
 *
 * Bun (1.4) reads each chunk into new memory. What the collector gives back later has left the processor's caches by then,
 * and large bodies take a tenth longer.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Spent, WireWatch } from "../http1/wire.ts";

/** Smaller chunks are left to the collector. */
const LEAST_BYTES = 65_536;
/** More chunks than this are left to it, too: nobody may ever say that they have been sent. */
const MAX_CHUNKS = 4;

/** Memory as Bun has it, declared so that every compiler can check this file. */
interface OwnMemory extends ArrayBuffer {
  /** Gives the memory back. Whoever still has it sees nothing in it. */
  transfer(length: 0): ArrayBuffer;
}

/** What was lent for one message. */
interface Lent {
  chunks: OwnMemory[] | undefined;
  isSent: boolean;
}

/** The memory of one connection, from its first message on. */
export class LentMemory {
  #lent!: Lent;
  /** The memory whose bytes are being handed out. */
  #handed: OwnMemory | undefined;

  /** Hands out the bytes of a read. They stay as they are until it is said that they have been sent. */
  hand(bytes: Buffer, watch: Pick<WireWatch, "onBytes">): void {
    const memory = bytes.buffer as OwnMemory;
    if (bytes.length < LEAST_BYTES || bytes.length !== memory.byteLength) return watch.onBytes(bytes);
    const chunks = this.#lent.chunks ??= [];
    if (chunks.push(memory) > MAX_CHUNKS) chunks.shift();
    this.#handed = memory;
    watch.onBytes(bytes);
    this.#handed = undefined;
  }

  /**
   * A message begins.
   *
   * @returns says whether all bytes of this message have been sent
   */
  begin(): Spent {
    // Memory with the end of one message and the beginning of the next is left to the collector.
    if (this.#handed) this.#lent.chunks?.pop();
    const lent: Lent = { chunks: undefined, isSent: false };
    this.#lent = lent;
    return (isSent) => {
      lent.isSent = isSent;
      // What is being handed out may hold more chunks, so all is given back behind the last of them.
      if (isSent && lent.chunks) queueMicrotask(() => giveBack(lent));
    };
  }
}

function giveBack(lent: Lent): void {
  if (!lent.isSent) return;
  for (const memory of lent.chunks ?? []) memory.transfer(0);
  lent.chunks = undefined;
}
