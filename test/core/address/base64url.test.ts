/** Base64url: what is written, and what is read. */
import { describe, expect, it } from "vitest";
import { decodeBase64url, encodeBase64, encodeBase64url } from "../../../src/core/address/base64url.ts";

const PAIRS = [
  { bytes: [], text: "" },
  { bytes: [0xfb, 0xff], text: "-_8" },
  { bytes: [0], text: "AA" },
  { bytes: [1, 2, 3], text: "AQID" },
];

describe("Base64url", () => {
  it.each(PAIRS)("writes $bytes as '$text'", ({ bytes, text }) => {
    expect(encodeBase64url(Uint8Array.from(bytes))).toBe(text);
  });

  it.each([...PAIRS, { bytes: [0xfb, 0xff], text: "+/8" }, { bytes: [0], text: "AB" }])(
    "reads '$text' as $bytes",
    ({ bytes, text }) => expect(decodeBase64url(text)).toEqual(Uint8Array.from(bytes)),
  );

  it("is plain where that is asked for", () => {
    expect(encodeBase64(Uint8Array.of(0xfb, 0xff))).toBe("+/8=");
  });

  it.each(["A", "AAAAA", "AA==", "A A", "é", "A.A"])(
    "reads nothing else: '%s'",
    (text) => expect(decodeBase64url(text)).toBeUndefined(),
  );

  it("takes more bytes than a function takes arguments", () => {
    const bytes = new Uint8Array(1_000_000).fill(7);
    expect(Buffer.from(decodeBase64url(encodeBase64url(bytes))!).equals(bytes)).toBe(true);
  });
});
