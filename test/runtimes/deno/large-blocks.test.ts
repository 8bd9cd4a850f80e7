/** Memory that a connection of Deno reads into: what was handed out stays as it is. */
import { describe, expect, it } from "vitest";
import { ReadBlocks } from "../../../src/runtimes/deno/large-blocks.ts";

const ROOM = 4_096;
const COPIED = 16_384;
const BLOCK = 65_536;
const LARGE = 262_144;

/** Reads as a connection does, and returns what was handed out. */
function read(blocks: ReadBlocks, size: number, byte = 120): Buffer {
  let handed!: Buffer;
  blocks.next.fill(byte, 0, size);
  blocks.hand(size, { onBytes: (bytes) => void (handed = bytes) });
  return handed;
}

/** A connection with room for a large chunk. */
function busy(): ReadBlocks {
  const blocks = new ReadBlocks(ROOM, 2);
  read(blocks, ROOM);
  return blocks;
}

/** The memory of so many further reads. */
function roomsOf(blocks: ReadBlocks, count: number): ArrayBufferLike[] {
  return Array.from({ length: count }, () => {
    const { buffer } = blocks.next;
    read(blocks, COPIED + 1, 0);
    return buffer;
  });
}

describe("the memory for the next read", () => {
  it.each([
    {
      enough: 1,
      arrives: [100, ROOM, BLOCK, LARGE, 100_000, BLOCK, COPIED, 10],
      grown: [ROOM, BLOCK, LARGE, LARGE, BLOCK, LARGE, ROOM, ROOM],
    },
    {
      enough: 2,
      arrives: [100, ROOM, BLOCK, BLOCK, LARGE, 100_000, BLOCK, COPIED, 10],
      grown: [ROOM, BLOCK, BLOCK, LARGE, LARGE, BLOCK, BLOCK, ROOM, ROOM],
    },
  ])("grows with what arrives, after $enough full, and shrinks again", ({ enough, arrives, grown }) => {
    const blocks = new ReadBlocks(ROOM, enough);
    const sizes = arrives.map((size) => {
      read(blocks, size);
      return blocks.next.length;
    });
    expect(sizes).toEqual(grown);
  });

  it("is each connection's own", () => {
    const [one, two] = [new ReadBlocks(ROOM, 2), new ReadBlocks(ROOM, 2)];
    expect(one.next.buffer).not.toBe(two.next.buffer);
    expect(busy().next.buffer).not.toBe(busy().next.buffer);
  });
});

it.each([
  { about: "in the room", blocks: new ReadBlocks(ROOM, 2), size: ROOM - 1 },
  { about: "that fills the room", blocks: new ReadBlocks(ROOM, 2), size: ROOM },
  { about: "in a block", blocks: busy(), size: COPIED },
  { about: "in a room of any size", blocks: new ReadBlocks(LARGE, 2), size: LARGE },
])("a small chunk is copied: $about", ({ blocks, size }) => {
  const memory = blocks.next.buffer;
  const chunk = read(blocks, size, 97);
  expect(chunk.buffer).not.toBe(memory);
  new Uint8Array(memory).fill(0);
  expect(chunk.equals(Buffer.alloc(size, 97))).toBe(true);
});

it("a large chunk is not copied, and its memory is never read into again", () => {
  const blocks = busy();
  const { buffer } = blocks.next;
  const chunk = read(blocks, COPIED + 1, 97);
  expect(chunk.buffer).toBe(buffer);
  expect(roomsOf(blocks, 40)).not.toContain(buffer);
  expect(chunk.equals(Buffer.alloc(COPIED + 1, 97))).toBe(true);
});
