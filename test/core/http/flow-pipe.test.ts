/** A body that is written to a sink: never faster than that takes it, and cut where it must be. */
import { describe, expect, it, vi } from "vitest";
import { bytes, NotedSink, sourced } from "../../support/flow.ts";

describe("a body that is piped", () => {
  it("goes out chunk by chunk, its last one with the end", () => {
    const { body, told } = sourced();
    const sink = new NotedSink();
    body.pipe(sink);
    body.push(bytes("a"));
    body.push(bytes("b"), true);
    expect(sink.given).toEqual(["a", "b."]);
    expect(told).toEqual(["resume"]);
  });

  it("goes out whole where it came before its reader", () => {
    const { body } = sourced();
    body.push(bytes("a"));
    body.push(bytes("b"));
    body.end();
    const sink = new NotedSink();
    body.pipe(sink);
    expect(sink.given).toEqual(["a", "b."]);
  });

  it("is empty where nothing came", () => {
    const { body } = sourced();
    body.end();
    const sink = new NotedSink();
    body.pipe(sink);
    expect(sink.given).toEqual(["."]);
  });

  it.each(["before", "after"])("is cut by what failed %s it was read", (when) => {
    const { body } = sourced();
    const sink = new NotedSink();
    body.push(bytes("a"));
    const steps = { before: [() => body.end(new Error("cut")), () => body.pipe(sink)] };
    const order = when === "before" ? steps.before : steps.before.toReversed();
    for (const step of order) step();
    expect(sink.given).toEqual(["a", "!cut"]);
  });

  it("waits for its sink", () => {
    const { body, told } = sourced();
    const sink = new NotedSink(1);
    body.pipe(sink);
    body.push(bytes("a"));
    expect(told).toEqual(["resume", "pause"]);
    sink.room = 2;
    sink.listeners["drain"]?.();
    expect(told).toEqual(["resume", "pause", "resume"]);
    body.push(bytes("b"));
    expect(sink.given).toEqual(["a", "b"]);
  });

  it("is given up when its sink closes, and not twice", () => {
    const { body, told } = sourced();
    const sink = new NotedSink();
    const onEnd = vi.fn();
    body.watch({ maxBytes: 0, stalled: () => new Error(), tooLarge: () => new Error(), onEnd });
    body.pipe(sink);
    sink.listeners["close"]?.();
    sink.listeners["close"]?.();
    body.push(bytes("late"));
    expect(told).toEqual(["resume", ["cancel", undefined]]);
    expect(sink.given).toEqual([]);
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  it("is not given up when its sink closes after the end", () => {
    const { body, told } = sourced();
    const sink = new NotedSink();
    body.pipe(sink);
    body.push(bytes("a"), true);
    sink.listeners["close"]?.();
    expect(told).toEqual(["resume"]);
  });
});
