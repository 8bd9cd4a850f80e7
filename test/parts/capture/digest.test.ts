/** Keyed digests, against the vectors of the paper. @module */
import { describe, expect, it } from "vitest";
import { digestOf, hash } from "../../../src/parts/capture/digest.ts";

const KEY = Uint8Array.from({ length: 16 }, (_, index) => index);

/** SipHash-2-4 of 0, 1, 2 … with that key, from the reference implementation. */
const VECTORS = [
  { length: 0, digest: "726fdb47dd0e0e31" },
  { length: 1, digest: "74f839c593dc67fd" },
  { length: 7, digest: "ab0200f58b01d137" },
  { length: 8, digest: "93f5f5799a932462" },
  { length: 15, digest: "a129ca6149be45e5" },
  { length: 63, digest: "958a324ceb064572" },
];

describe("a digest", () => {
  it.each(VECTORS)("is that of SipHash-2-4 for $length bytes", ({ length, digest }) => {
    const bytes = Uint8Array.from({ length }, (_, index) => index);
    const [low, high] = hash(bytes, KEY);
    expect([high, low].map((half) => half.toString(16).padStart(8, "0")).join("")).toBe(digest);
  });

  it("has four hexadecimal digits, which depend on text and key", () => {
    expect(digestOf("secret", KEY)).toMatch(/^[0-9a-f]{4}$/);
    expect(digestOf("secret", KEY)).toBe(digestOf("secret", KEY));
    const others = [digestOf("secres", KEY), digestOf("secret", KEY.map((byte) => byte + 1))];
    expect(others).not.toContain(digestOf("secret", KEY));
  });
});
