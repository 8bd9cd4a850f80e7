/**
 * The memory that a connection reads into. Large bodies are read into large blocks.
 * @module
 */

import { Buffer } from "node:buffer";
import type { WireWatch } from "../../wire/contract.ts";

/** Bytes of a block after a read has filled the small buffer. */
const BLOCK_BYTES = 65_536;
/** Bytes of a block after reads have filled enough of them in a row. */
const LARGE_BLOCK_BYTES = 262_144;
/** Chunks up to this many bytes are copied, so that a small chunk does not keep a block alive. */
const COPIED_BYTES = 16_384;

/** The memory of one connection. Bytes of a block are handed out once; those of the small buffer only as copies. */
export class ReadBlocks {
  /** The buffer for small reads. */
  readonly #room: Uint8Array;
  /** The block for the next read, once it has been requested. */
  #block: Uint8Array | undefined;
  /** Bytes of the next block; 0 to use the small buffer. A connection that is not reading holds no block. */
  #nextBytes = 0;
  /** How many blocks in a row were filled. */
  #fullBlocks = 0;

  readonly #enough: number;

  /**
   * @param roomBytes memory that the connection keeps while nothing large arrives
   * @param enough how many blocks in a row must be filled before a large one comes
   */
  constructor(roomBytes: number, enough: number) {
    this.#enough = enough;
    this.#room = new Uint8Array(roomBytes);
  }

  /** The memory for the next read. */
  get next(): Uint8Array {
    if (this.#nextBytes > 0) this.#block ??= new Uint8Array(this.#nextBytes);
    return this.#block ?? this.#room;
  }

  /** Hands out the bytes of a read into `next`. They are safe to keep: their memory is not reused. */
  hand(size: number, watch: Pick<WireWatch, "onBytes">): void {
    const block = this.next;
    const isFull = size === block.length;
    this.#block = undefined;
    const isBlock = block !== this.#room;
    this.#fullBlocks = isFull && isBlock ? this.#fullBlocks + 1 : 0;
    if (size > COPIED_BYTES && isBlock) {
      this.#nextBytes = this.#fullBlocks >= this.#enough ? LARGE_BLOCK_BYTES : BLOCK_BYTES;
      return watch.onBytes(Buffer.from(block.buffer, 0, size));
    }
    this.#nextBytes = isFull ? BLOCK_BYTES : 0;
    const bytes = Buffer.allocUnsafe(size);
    bytes.set(block.subarray(0, size));
    watch.onBytes(bytes);
  }
}
