/** What waits for a reader. */
import { describe, expect, it, vi } from "vitest";
import { FlowQueue } from "../../../src/core/http/flow-queue.ts";
import { bytes } from "../../support/flow.ts";

describe("a queue", () => {
  it("keeps chunks until a reader takes them", () => {
    const queue = new FlowQueue();
    queue.add(bytes("a"));
    queue.add(bytes("bc"));
    expect([queue.bytes, queue.take(), queue.bytes, queue.chunks]).toEqual([
      3,
      [bytes("a"), bytes("bc")],
      0,
      [],
    ]);
  });

  it.each([{ size: 65_535, isFull: false }, { size: 65_536, isFull: true }])(
    "is full with $size bytes: $isFull",
    ({ size, isFull }) => {
      const queue = new FlowQueue();
      queue.add(new Uint8Array(size));
      expect(queue.isFull).toBe(isFull);
    },
  );

  it("tells of each chunk and of the end", () => {
    const queue = new FlowQueue();
    const seen: unknown[] = [];
    queue.onChange = vi.fn(() => seen.push([queue.bytes, queue.isEnded, queue.failure?.message]));
    queue.add(bytes("a"));
    queue.end(new Error("cut"));
    expect(seen).toEqual([[1, false, undefined], [1, true, "cut"]]);
  });
});
