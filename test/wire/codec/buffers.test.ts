/**
 * Parts, copies and Latin-1: the same bytes, whether they are a view, a copy or a text.
 * @module
 */
import { describe, expect, it } from "vitest";
import { encodeLatin1, ownCopy, part, writeLatin1 } from "../../../src/wire/codec/buffers.ts";

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

const EVERY_BYTE = String.fromCharCode(...Array.from({ length: 256 }, (_, code) => code));

describe.each([
  { about: "nothing", text: "" },
  { about: "ASCII", text: "GET / HTTP/1.1\r\n\0\x7f" },
  { about: "one byte beyond ASCII", text: "\x80" },
  { about: "the last one beyond ASCII", text: "caf\xe9" },
  { about: "every byte", text: EVERY_BYTE },
  { about: "many", text: EVERY_BYTE.repeat(100) },
])("$about", ({ text }) => {
  it("is encoded", () => expect(encodeLatin1(text)).toEqual(Buffer.from(text, "latin1")));

  it("is written at the beginning, into as much room as there is", () => {
    for (const room of [0, 1, 7, text.length]) {
      const bytes = Buffer.alloc(text.length + room);
      writeLatin1(text, bytes);
      expect(bytes.subarray(0, text.length)).toEqual(Buffer.from(text, "latin1"));
    }
  });
});
