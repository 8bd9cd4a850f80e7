/**
 * Memory that connections read into: one block for small reads, blocks of their own for large bodies.
 *
 * Node (20) by itself reads at most 64 KiB at a time, each into new memory. Only what nobody has been given is read into
 * again.
 * @module
 */

import { Buffer } from "node:buffer";

/** Bytes of the block that all connections share; most reads are far smaller. */
const SHARED_BYTES = 64 * 1024;
/** Bytes per read once a read has filled the shared block. */
const BLOCK_BYTES = 256 * 1024;
/** Reads up to this many bytes are copied, so that a chunk does not hold a block that is mostly empty. */
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

  /** The bytes of a read into `next`, which stay as they are. */
  take(size: number): Buffer {
    const block = this.next;
    const bytes = block.subarray(0, size);
    // More is about to come where a read is this large.
    const isLarge = size >= SHARED_BYTES;
    if (size > MAX_COPIED_BYTES) {
      this.#own = takeBlock();
      return bytes;
    }
    if (isLarge) this.#own ??= takeBlock();
    else this.close();
    return Buffer.from(bytes);
  }

  /** The connection reads nothing more, or nothing large. */
  close(): void {
    if (this.#own && spares.length < MAX_SPARE_BLOCKS) spares.push(this.#own);
    this.#own = undefined;
  }
}

function takeBlock(): Buffer {
  return spares.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
}
