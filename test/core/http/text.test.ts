/** Text as UTF-8, and its percent-encoding. */
import { expect, it } from "vitest";
import { decodePercent, decodeUtf8, encodeUtf8, shorten } from "../../../src/core/http/text.ts";

it.each([
  { value: "", decoded: "" },
  { value: "a%20b+c", decoded: "a b+c" },
  { value: "%252F", decoded: "%2F" },
  { value: "%C3%A9", decoded: "é" },
  { value: "%00%0D%0A", decoded: "\0\r\n" },
  { value: "%", decoded: undefined },
  { value: "%4", decoded: undefined },
  { value: "%zz", decoded: undefined },
  { value: "%C3", decoded: undefined },
  { value: "%FF", decoded: undefined },
  { value: "%ED%A0%80", decoded: undefined },
])(
  "decodePercent of $value is $decoded",
  ({ value, decoded }) => expect(decodePercent(value)).toBe(decoded),
);

it("is UTF-8, with half a pair as U+FFFD", () => {
  expect([...encodeUtf8("a\u00e9\ud800")]).toEqual([0x61, 0xc3, 0xa9, 0xef, 0xbf, 0xbd]);
});

it.each([
  { bytes: [0x61, 0xc3, 0xa9], text: "a\u00e9" },
  { bytes: [0xef, 0xbb, 0xbf, 0x61], text: "a" },
  { bytes: [], text: "" },
  { bytes: [0xc3], text: undefined },
  { bytes: [0xed, 0xa0, 0x80], text: undefined },
])(
  "decodeUtf8 of $bytes is $text",
  ({ bytes, text }) => expect(decodeUtf8(Uint8Array.from(bytes))).toBe(text),
);

it.each([
  { text: "abc", shown: "abc" },
  { text: "abcd", shown: "abc\u2026" },
])(
  "of $text no more than three characters are shown: $shown",
  ({ text, shown }) => expect(shorten(text, 3)).toBe(shown),
);
