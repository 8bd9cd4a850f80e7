/**
 * Short chunks of one read go on in one piece, in order, and long ones by themselves.
 * @module
 */
import { describe, expect, it, vi } from "vitest";
import { JoinedChunks } from "../../../src/runtimes/http1/joined-chunks.ts";

const of = (size: number, text: string) => Buffer.alloc(size, text);

describe("joined chunks", () => {
  it.each([
    { about: "none", sizes: [], given: [] },
    { about: "one", sizes: [1], given: [1] },
    { about: "short ones", sizes: [1, 2, 4_096], given: [4_099] },
    { about: "a long one", sizes: [4_097], given: [4_097] },
    { about: "a long one between short ones", sizes: [1, 2, 5_000, 3, 4], given: [3, 5_000, 7] },
    { about: "long ones behind each other", sizes: [5_000, 5_000], given: [5_000, 5_000] },
  ])("of a read: $about", ({ sizes, given }) => {
    const push = vi.fn<(bytes: Uint8Array) => void>();
    const joined = new JoinedChunks(push);
    const chunks = sizes.map((size, at) => of(size, String(at)));
    for (const chunk of chunks) joined.add(chunk);
    joined.flush();
    joined.flush();
    const pieces = push.mock.calls.map(([piece]) => piece);
    expect(pieces.map(({ length }) => length)).toEqual(given);
    expect(Buffer.concat(pieces).toString()).toBe(Buffer.concat(chunks).toString());
  });

  it("that are long are not copied, and one that is alone neither", () => {
    const push = vi.fn();
    const joined = new JoinedChunks(push);
    const chunks = [of(3, "a"), of(5_000, "b")];
    for (const chunk of chunks) joined.add(chunk);
    expect(push.mock.calls.map(([piece]) => piece === chunks[0] || piece === chunks[1])).toEqual([
      true,
      true,
    ]);
  });
});
