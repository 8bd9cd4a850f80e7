/**
 * Parts that are joined as they come: what is kept of them, and what comes out.
 * @module
 */
import { describe, expect, it } from "vitest";
import { Block } from "../../../src/wire/codec/block.ts";
import { MessageReader } from "../../../src/wire/websocket/messages.ts";

const MEBIBYTE = 1_048_576;

/** A block to which so many parts of one size were added. */
function blockOf(parts: number, size: number, announced: number): Block {
  const block = new Block();
  const chunk = Buffer.alloc(size + 2, 7).fill(0, 0, 1).fill(0, size + 1);
  for (let part = 0; part < parts; part += 1) block.add(chunk, 1, size + 1, announced);
  return block;
}

it.each([
  { parts: 0, size: 1, announced: 0, capacity: 0 },
  { parts: 1, size: 10, announced: 10, capacity: 10 },
  { parts: 2, size: 10, announced: 20, capacity: 20 },
  { parts: 3, size: 10, announced: 10, capacity: 40 },
  { parts: 1000, size: 1, announced: 0, capacity: 1024 },
  { parts: 1, size: 10, announced: 64 * MEBIBYTE, capacity: MEBIBYTE },
  { parts: 3, size: MEBIBYTE, announced: 64 * MEBIBYTE, capacity: 4 * MEBIBYTE },
])("a block of $parts parts of $size bytes, $announced announced, keeps $capacity", (row) => {
  const { parts, size, announced, capacity } = row;
  const block = blockOf(parts, size, announced);
  expect(block.capacity).toBe(capacity);
  expect(block.bytes.equals(Buffer.alloc(parts * size, 7))).toBe(true);
});

describe("a message of many fragments", () => {
  /** Bytes in use beyond those before. */
  const growthOf = (run: () => void) => {
    const used = () => {
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const before = used();
    run();
    return used() - before;
  };
  const readerOf = (told: unknown[]) =>
    new MessageReader({
      message: (data) => told.push(data),
      ping() {},
      close() {},
      fault: (code) => told.push(code),
    });

  it("costs about as much as it holds, and comes whole", () => {
    const told: unknown[] = [];
    const reader = readerOf(told);
    const chunk = Buffer.alloc(30_000, Buffer.from([0, 1, 0x61]));
    reader.push(Buffer.from([1, 1, 0x62]));
    const growth = growthOf(() => {
      for (let count = 0; count < 200; count += 1) reader.push(chunk);
    });
    reader.push(Buffer.from([0x80, 1, 0x63]));
    expect(growth).toBeLessThan(80 * MEBIBYTE);
    expect(told).toEqual([`b${"a".repeat(2_000_000)}c`]);
  });

  it("may be one frame that comes byte by byte", () => {
    const told: unknown[] = [];
    const reader = readerOf(told);
    reader.push(Buffer.from([0x81, 127, 0, 0, 0, 0, 0, 4, 0, 0]));
    for (let count = 0; count < 262_144; count += 1) reader.push(Buffer.from("a"));
    expect(told).toEqual(["a".repeat(262_144)]);
  });
});
