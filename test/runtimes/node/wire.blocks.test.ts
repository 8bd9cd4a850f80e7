/** Memory that connections read into: what was passed on stays as it is. */
import { describe, expect, it } from "vitest";
import { ReadBlocks } from "../../../src/runtimes/node/wire.ts";

const KIB = 1024;

/** Reads as a connection does: fills the memory, and passes the bytes on. */
function read(blocks: ReadBlocks, size: number, byte: number): Buffer {
  blocks.next.fill(byte, 0, size);
  return blocks.take(size);
}

/** A connection in the middle of a large body. */
function busy(): ReadBlocks {
  const blocks = new ReadBlocks();
  read(blocks, 64 * KIB, 0);
  return blocks;
}

describe("memory to read into", () => {
  it("is shared by connections with small reads, whose bytes stay", () => {
    const [one, two] = [new ReadBlocks(), new ReadBlocks()];
    expect(one.next).toBe(two.next);
    const bytes = read(one, 100, 1);
    read(two, 100, 2);
    expect(bytes).toEqual(Buffer.alloc(100, 1));
  });

  it("is larger and their own for those with a large body, as long as it comes fast", () => {
    const blocks = busy();
    expect(blocks.next.length).toBe(256 * KIB);
    expect(blocks.next === busy().next).toBe(false);
    read(blocks, 200 * KIB, 1);
    expect(blocks.next.length).toBe(256 * KIB);
    read(blocks, 20 * KIB, 1);
    expect(blocks.next.length).toBe(64 * KIB);
  });

  it.each([1, 16, 64, 100, 128, 129, 256])(
    "is never read into again where reads of %i KiB were passed on",
    (size) => {
      const blocks = busy();
      const chunks = Array.from({ length: 40 }, (_, byte) => read(blocks, size * KIB, byte));
      expect(chunks.map((chunk, byte) => chunk.length === size * KIB && chunk.every((each) => each === byte)))
        .toEqual(Array(40).fill(true));
    },
  );

  it("holds no chunk that would keep a block of which half is empty", () => {
    expect(read(busy(), 128 * KIB, 1).buffer.byteLength).toBe(128 * KIB);
    expect(read(busy(), 129 * KIB, 1).buffer.byteLength).toBe(256 * KIB);
  });

  it("is spare for others when its connection closes, unless it was passed on", () => {
    const blocks = busy();
    const passed = read(blocks, 200 * KIB, 1).buffer;
    const own = blocks.next;
    blocks.close();
    const others = Array.from({ length: 20 }, () => busy().next);
    expect(others.filter((other) => other === own)).toHaveLength(1);
    expect(others.filter(({ buffer }) => buffer === passed)).toEqual([]);
  });
});
