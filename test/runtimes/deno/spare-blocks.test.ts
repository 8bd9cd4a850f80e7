/**
 * Blocks that are used again: of each size few are kept.
 * @module
 */
import { expect, it } from "vitest";
import {
  BLOCK_BYTES,
  giveBackBlock,
  LARGE_BLOCK_BYTES,
  takeBlock,
} from "../../../src/runtimes/deno/spare-blocks.ts";

it.each([
  { bytes: BLOCK_BYTES, kept: 16 },
  { bytes: LARGE_BLOCK_BYTES, kept: 16 },
  { bytes: 4_096, kept: 0 },
])("of 40 blocks of $bytes bytes $kept are used again", ({ bytes, kept }) => {
  const given = Array.from({ length: 40 }, () => takeBlock(bytes));
  given.forEach(giveBackBlock);
  const taken = Array.from({ length: 40 }, () => takeBlock(bytes));
  expect(taken.filter((block) => given.includes(block))).toHaveLength(kept);
  expect(taken.map(({ byteLength }) => byteLength)).toEqual(Array(40).fill(bytes));
});
