/**
 * Text as Latin-1: one byte per character, whatever bytes it has.
 * @module
 */
import { describe, expect, it } from "vitest";
import { encodeLatin1, writeLatin1 } from "../../../src/wire/codec/latin1.ts";

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
