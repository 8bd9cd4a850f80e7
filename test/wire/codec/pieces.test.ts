/**
 * Parts of bytes that have arrived: the same bytes, whether they are a view or a copy.
 * @module
 */
import { expect, it } from "vitest";
import { ownCopy, part } from "../../../src/wire/codec/pieces.ts";

const BYTES = Buffer.from(Array.from({ length: 2_000 }, (_, at) => at % 251));

it.each([
  { about: "none", start: 2_000, end: 2_000 },
  { about: "one", start: 7, end: 8 },
  { about: "the most that are copied", start: 1, end: 513 },
  { about: "the fewest that are not", start: 1, end: 514 },
  { about: "all", start: 0, end: 2_000 },
])("has the bytes from start to end: $about", ({ start, end }) => {
  expect(part(BYTES, start, end).equals(BYTES.subarray(start, end))).toBe(true);
});

it("ends where the bytes end", () => expect(part(BYTES, 1_990).equals(BYTES.subarray(1_990))).toBe(true));

it("leaves small ones as they are when the bytes change", () => {
  const bytes = Buffer.from("hello world");
  const word = part(bytes, 6);
  bytes.fill(0);
  expect(word.toString()).toBe("world");
});

it.each([{ size: 0 }, { size: 1 }, { size: 300 }, { size: 2_000 }])(
  "a copy for long has the same $size bytes in memory of its own",
  ({ size }) => {
    const bytes = Buffer.from(BYTES.subarray(0, size));
    const copy = ownCopy(bytes);
    bytes.fill(0);
    expect(copy.equals(BYTES.subarray(0, size))).toBe(true);
    expect(copy.buffer.byteLength).toBe(size);
  },
);
