/** Masks: length and digest, twice the same. @module */
import { describe, expect, it } from "vitest";
import { createMasker } from "../../../src/parts/capture/masker.ts";

const masker = createMasker("00112233-4455-6677-8899-aabbccddeeff");

describe("a mask", () => {
  it("tells the length and a digest, in fields and in addresses", () => {
    const [, digest] = /^\*{3}\(6 bytes, ([0-9a-f]{4})\)$/.exec(masker.hide("secret")) ?? [];
    expect(masker.hideInAddress("secret")).toBe(`***(6-bytes,${digest})`);
  });

  it.each(["", masker.hide("x"), masker.hideInAddress("x")])("leaves %j as it is", (text) => {
    expect(masker.hide(text)).toBe(text);
  });

  it("differs under another key", () =>
    expect(createMasker(crypto.randomUUID()).hide("a secret")).not.toBe(masker.hide("a secret")));
});
