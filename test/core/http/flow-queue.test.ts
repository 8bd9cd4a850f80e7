/** What waits for a reader. */
import { describe, expect, it, vi } from "vitest";
import { FlowQueue } from "../../../src/core/http/flow-queue.ts";
import { bytes, NotedSink, sourced } from "../../support/flow.ts";

describe("a queue", () => {
  it("keeps chunks until a reader takes them", () => {
    const queue = new FlowQueue();
    queue.add(bytes("a"));
    queue.add(bytes("bc"));
    expect([queue.bytes, queue.take(), queue.bytes, queue.chunks])
      .toEqual([3, [bytes("a"), bytes("bc")], 0, []]);
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

describe("a look at the first bytes", () => {
  it("asks for no more than them, and leaves them for the reader", async () => {
    const { body, told } = sourced();
    const first = body.peek();
    expect(told).toEqual(["resume"]);
    body.push(bytes(""));
    body.push(bytes("a"));
    expect(told).toEqual(["resume", "pause"]);
    expect(await first).toEqual(bytes("a"));
    const sink = new NotedSink();
    body.pipe(sink);
    body.push(bytes("b"), true);
    expect([sink.given, told]).toEqual([["a", "b."], ["resume", "pause", "resume"]]);
  });

  it("needs to ask for nothing where they are here", async () => {
    const { body, told } = sourced();
    body.push(bytes("a"));
    expect(await body.peek()).toEqual(bytes("a"));
    expect(told).toEqual(["pause"]);
  });

  it.each([
    { about: "nothing", end: [] },
    { about: "an empty chunk", end: [""] },
  ])("finds none in $about", async ({ end }) => {
    const { body } = sourced();
    const first = body.peek();
    const [last] = end;
    const ends = [() => body.end(), () => body.push(bytes(last ?? ""), true)];
    ends[end.length]?.();
    expect(await first).toBeUndefined();
  });

  it("finds the only one, which is the last", async () => {
    const { body, told } = sourced();
    const first = body.peek();
    body.push(bytes("a"), true);
    expect(await first).toEqual(bytes("a"));
    expect(told).toEqual(["resume", "pause"]);
    const sink = new NotedSink();
    body.pipe(sink);
    expect(sink.given).toEqual(["a."]);
  });

  it("fails where the body is cut before them, and not behind them", async () => {
    const [early, late] = [sourced().body, sourced().body];
    const [none, first] = [early.peek(), late.peek()];
    early.end(new Error("cut"));
    late.push(bytes("a"));
    late.end(new Error("cut"));
    await expect(none).rejects.toThrow("cut");
    expect(await first).toEqual(bytes("a"));
    const sink = new NotedSink();
    late.pipe(sink);
    expect(sink.given).toEqual(["a", "!cut"]);
  });
});
