/**
 * Memory that connections read into: one shared block for small reads, and a separate block for each large body.
 *
 * By default Node (20) reads at most 64 KiB at a time, each time into new memory. Here a block is reused, unless its bytes
 * were handed out.
 * @module
 */

import { Buffer } from "node:buffer";

/** Bytes of the block that all connections share; most reads are far smaller. */
const SHARED_BYTES = 64 * 1024;
/** Bytes per read once a read has filled the shared block. */
const BLOCK_BYTES = 256 * 1024;
/** Reads up to this many bytes are copied, so that a chunk does not keep a mostly empty block alive. */
const MAX_COPIED_BYTES = BLOCK_BYTES / 2;
/** Maximum number of spare blocks. */
const MAX_SPARE_BLOCKS = 16;

const shared = Buffer.allocUnsafeSlow(SHARED_BYTES);
/** Unused blocks. */
const spares: Buffer[] = [];

/** The memory that one connection reads into. */
export class ReadBlocks {
  /** The block of this connection, while it reads a large body. */
  #own: Buffer | undefined;

  /** The memory for the next read. */
  get next(): Buffer {
    return this.#own ?? shared;
  }

  /** The bytes of a read into `next`. They are safe to keep: their memory is not reused. */
  take(size: number): Buffer {
    const block = this.next;
    const bytes = block.subarray(0, size);
    // A read of this size suggests that more is about to come.
    const isLarge = size >= SHARED_BYTES;
    if (size > MAX_COPIED_BYTES) {
      this.#own = takeBlock();
      return bytes;
    }
    if (isLarge) this.#own ??= takeBlock();
    else this.close();
    return Buffer.from(bytes);
  }

  /** Releases the block of a connection that has closed, or that reads nothing large any more. */
  close(): void {
    if (this.#own && spares.length < MAX_SPARE_BLOCKS) spares.push(this.#own);
    this.#own = undefined;
  }
}

function takeBlock(): Buffer {
  return spares.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
}
