/**
 * Memory that a connection reads into. Large bodies are read in large blocks, which are used again once they have been sent:
 * new memory must be cleared by the kernel and found by the collector.
 * @module
 */

import { Buffer } from "node:buffer";
import type { Spent, WireWatch } from "../http1/wire.ts";

/** Reads up to this many bytes are copied, so that a small chunk does not hold a block. */
const COPIED_BYTES = 16_384;
/** Bytes of a block after a full read, and after a block that was full. */
const BLOCK_BYTES = 65_536;
const LARGE_BYTES = 262_144;
/** Maximum number of spare blocks of each size. */
const MAX_SPARE_BLOCKS = 16;
/** More than this many are left to the collector: nobody may ever say that they have been sent. */
const MAX_LENT_BLOCKS = 4;

/** Unused blocks, by size. */
const spares = new Map<number, ArrayBuffer[]>([[BLOCK_BYTES, []], [LARGE_BYTES, []]]);

/** The memory of one connection. */
export class ReadBlocks {
  /** Where small reads go; bytes in it are copied. */
  readonly #room: Uint8Array;
  /** The block for the next read, once it is asked for. */
  #block: Uint8Array | undefined;
  /** Bytes of the next block; 0 for the room. A caller who has stopped reading holds none. */
  #nextBytes = 0;
  /** Blocks that hold chunks of the current message. */
  #lent: ArrayBuffer[] = [];
  /** The block whose bytes are being handed out. */
  #handed: ArrayBuffer | undefined;

  /** @param roomBytes memory that the connection keeps while nothing large arrives */
  constructor(roomBytes: number) {
    this.#room = new Uint8Array(roomBytes);
  }

  /** The memory for the next read. */
  get next(): Uint8Array {
    if (this.#nextBytes > 0) this.#block ??= takeBlock(this.#nextBytes);
    return this.#block ?? this.#room;
  }

  /** Hands out the bytes of a read into `next`. They stay as they are until what `begin` has returned is called. */
  hand(size: number, watch: Pick<WireWatch, "onBytes">): void {
    const bytes = this.#take(this.next, size);
    this.#handed = bytes.buffer as ArrayBuffer;
    watch.onBytes(bytes);
    this.#handed = undefined;
  }

  /**
   * A message begins.
   *
   * @returns says whether all bytes of this message have been sent
   */
  begin(): Spent {
    // A block with the end of one message and the beginning of the next is not used again.
    if (this.#handed && this.#lent.at(-1) === this.#handed) this.#lent.pop();
    const lent: ArrayBuffer[] = this.#lent = [];
    return (isSent) => {
      if (!isSent) return;
      for (const block of lent) giveBack(block);
      lent.length = 0;
    };
  }

  /** The bytes, and room for the next read: larger after a full one. */
  #take(block: Uint8Array, size: number): Buffer {
    const memory = block.buffer as ArrayBuffer;
    const isFull = size === block.length;
    if (size > COPIED_BYTES) {
      if (this.#lent.push(memory) > MAX_LENT_BLOCKS) this.#lent.shift();
      this.#block = undefined;
      this.#nextBytes = isFull ? LARGE_BYTES : BLOCK_BYTES;
      return Buffer.from(memory, 0, size);
    }
    const bytes = Buffer.allocUnsafe(size);
    bytes.set(block.subarray(0, size));
    if (this.#block) giveBack(memory);
    this.#block = undefined;
    this.#nextBytes = isFull ? BLOCK_BYTES : 0;
    return bytes;
  }
}

function takeBlock(size: number): Uint8Array {
  return new Uint8Array(spares.get(size)?.pop() ?? new ArrayBuffer(size));
}

function giveBack(block: ArrayBuffer): void {
  const blocks = spares.get(block.byteLength);
  if (blocks && blocks.length < MAX_SPARE_BLOCKS) blocks.push(block);
}
