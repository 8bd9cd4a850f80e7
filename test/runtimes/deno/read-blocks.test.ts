/**
 * Memory that a connection of Deno reads into: what was handed out stays as it is until it has been sent.
 * @module
 */
import { describe, expect, it } from "vitest";
import { ReadBlocks } from "../../../src/runtimes/deno/read-blocks.ts";

const ROOM = 4_096;
const COPIED = 16_384;
const BLOCK = 65_536;
const LARGE = 262_144;

/** Reads as a connection does, and returns what was handed out. */
function read(blocks: ReadBlocks, size: number, byte = 120, onBytes: () => void = () => {}): Buffer {
  let handed!: Buffer;
  blocks.next.fill(byte, 0, size);
  blocks.hand(size, {
    onBytes(bytes) {
      handed = bytes;
      onBytes();
    },
  });
  return handed;
}

/** A connection with room for a large chunk. */
function busy(): ReadBlocks {
  const blocks = new ReadBlocks(ROOM);
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
  it("grows with what arrives, and shrinks again", () => {
    const blocks = new ReadBlocks(ROOM);
    const sizes = [100, ROOM, BLOCK, LARGE, 100_000, COPIED, 10].map((size) => {
      read(blocks, size);
      return blocks.next.length;
    });
    expect(sizes).toEqual([ROOM, BLOCK, LARGE, LARGE, BLOCK, ROOM, ROOM]);
  });

  it("is each connection's own", () => {
    const [one, two] = [new ReadBlocks(ROOM), new ReadBlocks(ROOM)];
    expect(one.next.buffer).not.toBe(two.next.buffer);
    expect(busy().next.buffer).not.toBe(busy().next.buffer);
  });
});

describe("a small chunk", () => {
  it.each([
    { about: "in the room", blocks: new ReadBlocks(ROOM), size: ROOM - 1 },
    { about: "that fills the room", blocks: new ReadBlocks(ROOM), size: ROOM },
    { about: "in a block", blocks: busy(), size: COPIED },
  ])("is copied: $about", ({ blocks, size }) => {
    const memory = blocks.next.buffer;
    const chunk = read(blocks, size, 97);
    expect(chunk.buffer).not.toBe(memory);
    new Uint8Array(memory).fill(0);
    expect(chunk).toEqual(Buffer.alloc(size, 97));
  });

  it("leaves its block to the next", () => {
    const blocks = busy();
    const { buffer } = blocks.next;
    read(blocks, 10);
    read(blocks, ROOM);
    expect(blocks.next.buffer).toBe(buffer);
  });
});

describe("a large chunk", () => {
  it("is lent, and not copied", () => {
    const blocks = busy();
    const { buffer } = blocks.next;
    expect(read(blocks, COPIED + 1).buffer).toBe(buffer);
    expect(blocks.next.buffer).not.toBe(buffer);
  });

  it("stays until its message has been sent, and then its memory is used again", () => {
    const blocks = busy();
    const done = blocks.begin();
    const chunk = read(blocks, 20_000, 97);
    expect(roomsOf(blocks, 3)).not.toContain(chunk.buffer);
    expect(chunk).toEqual(Buffer.alloc(20_000, 97));
    done(true);
    expect(roomsOf(blocks, 40)).toContain(chunk.buffer);
  });

  it("stays while not all of its message has been sent", () => {
    const blocks = busy();
    const say = blocks.begin();
    const chunk = read(blocks, 20_000, 97);
    say(false);
    expect(roomsOf(blocks, 10)).not.toContain(chunk.buffer);
    expect(chunk).toEqual(Buffer.alloc(20_000, 97));
  });

  it("is left to the collector behind 4 more, since nobody may ever say that it has been sent", () => {
    const blocks = busy();
    const done = blocks.begin();
    const [first, ...others] = roomsOf(blocks, 5);
    done(true);
    const rooms = roomsOf(blocks, 40);
    expect(rooms).not.toContain(first);
    expect(rooms).toContain(others.at(-1));
  });

  it("is used again once, however often it is said", () => {
    const blocks = busy();
    const done = blocks.begin();
    const { buffer } = read(blocks, 20_000);
    done(true);
    done(true);
    expect(roomsOf(blocks, 40).filter((memory) => memory === buffer)).toHaveLength(1);
  });

  it("stays where nobody says that its message has been sent", () => {
    const blocks = busy();
    blocks.begin();
    const chunk = read(blocks, 20_000, 97);
    const done = blocks.begin();
    read(blocks, 20_000);
    done(true);
    expect(roomsOf(blocks, 40)).not.toContain(chunk.buffer);
    expect(chunk).toEqual(Buffer.alloc(20_000, 97));
  });

  it.each([{ calls: 1 }, { calls: 2 }])(
    "of the next message stays whatever is said of the one before, $calls times",
    ({ calls }) => {
      const blocks = busy();
      const done = blocks.begin();
      read(blocks, 20_000, 97);
      blocks.begin();
      const next = read(blocks, 20_000, 98);
      for (let call = 0; call < calls; call += 1) done(true);
      expect(roomsOf(blocks, 40)).not.toContain(next.buffer);
      expect(next).toEqual(Buffer.alloc(20_000, 98));
    },
  );

  it("with the end of one message and the beginning of the next stays", () => {
    const blocks = busy();
    const done = blocks.begin();
    const whole = read(blocks, 20_000, 97);
    let sayNext!: (isSent: boolean) => void;
    const shared = read(blocks, 20_000, 98, () => void (sayNext = blocks.begin()));
    done(true);
    sayNext(true);
    const rooms = roomsOf(blocks, 40);
    expect(rooms).toContain(whole.buffer);
    expect(rooms).not.toContain(shared.buffer);
    expect(shared).toEqual(Buffer.alloc(20_000, 98));
  });

  it("is one of few whose memory is kept for the next", () => {
    const blocks = busy();
    const done = blocks.begin();
    const lent = new Set(roomsOf(blocks, 40));
    done(true);
    const again = roomsOf(blocks, 40).filter((memory) => lent.has(memory));
    expect(again.length).toBeLessThanOrEqual(17);
  });
});
