/**
 * Short chunks of one read go on in one piece, in order, and long ones by themselves.
 * @module
 */
import { describe, expect, it } from "vitest";
import { JoinedChunks } from "../../../src/wire/codec/joined-chunks.ts";

/** What is passed on of a read whose chunks have these sizes, each with two bytes before and behind. */
function join(sizes: readonly number[]) {
  const read = Buffer.concat(sizes.map((size, at) => Buffer.alloc(size + 4, String(at % 10))));
  const pieces: Uint8Array[] = [];
  const chunks = new JoinedChunks(read, (piece) => pieces.push(piece));
  const kept: Buffer[] = [];
  let at = 2;
  for (const size of sizes) {
    chunks.add(at, at + size);
    kept.push(read.subarray(at, at + size));
    at += size + 4;
  }
  chunks.flush();
  chunks.flush();
  return { pieces, given: Buffer.concat(pieces).toString(), sent: Buffer.concat(kept).toString(), read };
}

describe("joined chunks", () => {
  it.each([
    { about: "none", sizes: [], lengths: [] },
    { about: "one", sizes: [1], lengths: [1] },
    { about: "short ones", sizes: [1, 2, 33, 4_096], lengths: [4_132] },
    { about: "a long one", sizes: [4_097], lengths: [4_097] },
    { about: "a long one between short ones", sizes: [1, 2, 5_000, 3, 4], lengths: [3, 5_000, 7] },
    { about: "long ones behind each other", sizes: [5_000, 5_000], lengths: [5_000, 5_000] },
    { about: "more than a block", sizes: [4_000, 4_000, 4_000, 4_000, 4_000, 9], lengths: [16_000, 4_009] },
    { about: "a block and one", sizes: [4_096, 4_096, 4_096, 4_096, 1], lengths: [16_384, 1] },
    { about: "a thousand", sizes: Array<number>(1_000).fill(40), lengths: [16_360, 16_360, 7_280] },
  ])("of a read: $about", ({ sizes, lengths }) => {
    const { pieces, given, sent } = join(sizes);
    expect(pieces.map(({ length }) => length)).toEqual(lengths);
    expect(given).toBe(sent);
  });

  it("that are long are not copied, and one that is alone neither", () => {
    const { pieces, read } = join([4_000, 5_000]);
    expect(pieces.map(({ buffer }) => buffer === read.buffer)).toEqual([true, true]);
  });
});
