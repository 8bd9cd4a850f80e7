/** Chunks in one piece. */
import { describe, expect, it } from "vitest";
import { concat } from "../../../src/core/http/concat.ts";

describe("concat", () => {
  it.each([
    { chunks: [], joined: [] },
    { chunks: [[1, 2], [], [3]], joined: [1, 2, 3] },
  ])("makes $joined of $chunks", ({ chunks, joined }) => {
    expect(concat(chunks.map((chunk) => Uint8Array.from(chunk)), joined.length))
      .toEqual(Uint8Array.from(joined));
  });

  it("copies nothing of one", () => {
    const chunk = Uint8Array.from([1, 2]);
    expect(concat([chunk], 2)).toBe(chunk);
  });
});
