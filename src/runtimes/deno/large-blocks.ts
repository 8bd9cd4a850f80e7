/**
 * Memory that a connection reads into. Large bodies are read in large blocks.
 * @module
 */

import { Buffer } from "node:buffer";
import type { WireWatch } from "../../wire/contract.ts";

/** Bytes of a block where nothing large has arrived yet. */
const BLOCK_BYTES = 65_536;
/** Bytes of the next block where a read has filled its own. */
const LARGE_BLOCK_BYTES = 262_144;
/** Chunks of up to this many bytes are copied, so that a small one does not hold a block. */
const COPIED_BYTES = 16_384;

/** The memory of one connection. Only what nobody has been given is read into again. */
export class ReadBlocks {
  /** Where small reads go; bytes in it are copied. */
  readonly #room: Uint8Array;
  /** The block for the next read, once it is asked for. */
  #block: Uint8Array | undefined;
  /** Bytes of the next block; 0 for the room. A caller who has stopped reading holds none. */
  #nextBytes = 0;

  /** @param roomBytes memory that the connection keeps while nothing large arrives */
  constructor(roomBytes: number) {
    this.#room = new Uint8Array(roomBytes);
  }

  /** The memory for the next read. */
  get next(): Uint8Array {
    if (this.#nextBytes > 0) this.#block ??= new Uint8Array(this.#nextBytes);
    return this.#block ?? this.#room;
  }

  /** Hands out the bytes of a read into `next`, which stay as they are. */
  hand(size: number, watch: Pick<WireWatch, "onBytes">): void {
    const block = this.next;
    const isFull = size === block.length;
    this.#block = undefined;
    if (size > COPIED_BYTES) {
      this.#nextBytes = isFull ? LARGE_BLOCK_BYTES : BLOCK_BYTES;
      return watch.onBytes(Buffer.from(block.buffer, 0, size));
    }
    this.#nextBytes = isFull ? BLOCK_BYTES : 0;
    const bytes = Buffer.allocUnsafe(size);
    bytes.set(block.subarray(0, size));
    watch.onBytes(bytes);
  }
}
