/**
 * Blocks of memory to read into, which are used again: new memory must be cleared by the kernel and found by the
 * collector.
 * @module
 */

/** Bytes of a block where nothing large has arrived yet. */
export const BLOCK_BYTES = 65_536;
/** Bytes of the next block where a read has filled its own. */
export const LARGE_BLOCK_BYTES = 262_144;
/** Chunks of up to this many bytes are copied, so that a small one does not hold a block. */
export const COPIED_BYTES = 16_384;
/** Maximum number of spare blocks of each size. */
const MAX_SPARE_BLOCKS = 16;

/** Unused blocks, by size. */
const spares = new Map<number, ArrayBuffer[]>([[BLOCK_BYTES, []], [LARGE_BLOCK_BYTES, []]]);

/** A block with whatever was in it last. */
export function takeBlock(size: number): ArrayBuffer {
  return spares.get(size)?.pop() ?? new ArrayBuffer(size);
}

/** Takes a block that nobody reads any more; memory of other sizes is left to the collector. */
export function giveBackBlock(block: ArrayBuffer): void {
  const blocks = spares.get(block.byteLength);
  if (blocks && blocks.length < MAX_SPARE_BLOCKS) blocks.push(block);
}
