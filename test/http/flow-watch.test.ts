/**
 * The limits of a body: what is counted, and when the time runs.
 * @module
 */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createDeadlines } from "../../src/http/deadlines.ts";
import { type BodyWatch, FlowWatch } from "../../src/http/flow-watch.ts";

const STALLED = new Error("stalled");
const TOO_LARGE = new Error("too large");

function watching(watch: Partial<BodyWatch> = {}) {
  const fail = vi.fn();
  const [onWait, onChunk, onEnd] = [vi.fn(), vi.fn(), vi.fn()];
  const own = { maxBytes: 0, stalled: () => STALLED, tooLarge: () => TOO_LARGE, onWait, onChunk, onEnd };
  return { watched: new FlowWatch({ ...own, ...watch }, fail), fail, onWait, onChunk, onEnd };
}

describe("the size of a body", () => {
  it.each([
    { maxBytes: 3, chunks: [3], failures: [undefined] },
    { maxBytes: 3, chunks: [2, 2], failures: [undefined, TOO_LARGE] },
    { maxBytes: 0, chunks: [9_999_999], failures: [undefined] },
  ])("of $chunks bytes, where $maxBytes may be", ({ maxBytes, chunks, failures }) => {
    const { watched, onChunk } = watching({ maxBytes });
    expect(chunks.map((size) => watched.count(size))).toEqual(failures);
    expect(onChunk.mock.calls.flat()).toEqual(chunks);
  });
});

describe("the time of a body", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("runs while a chunk is waited for, anew for each", () => {
    const { watched, fail, onWait } = watching({ idle: createDeadlines(1_000, true) });
    watched.wait();
    vi.advanceTimersByTime(999);
    watched.wait();
    vi.advanceTimersByTime(999);
    expect([fail.mock.calls, onWait.mock.calls.length]).toEqual([[], 2]);
    vi.advanceTimersByTime(1);
    expect(fail.mock.calls).toEqual([[STALLED]]);
  });

  it.each([
    { about: "nothing is asked for", stop: "rest" as const },
    { about: "nobody wants the rest", stop: "cancel" as const },
  ])("stops when $about", ({ stop }) => {
    const { watched, fail } = watching({ idle: createDeadlines(1_000, true) });
    watched.wait();
    watched[stop]();
    vi.advanceTimersByTime(10_000);
    expect([fail.mock.calls, vi.getTimerCount()]).toEqual([[], 0]);
  });
});

describe("the end of a body", () => {
  it("is told with what cut it", () => {
    const { watched, onChunk, onEnd } = watching();
    watched.finish(STALLED);
    expect([onChunk.mock.calls, onEnd.mock.calls]).toEqual([[[0]], [[STALLED]]]);
  });

  it("is told where it is given up, without a failure", () => {
    const { watched, onChunk, onEnd } = watching();
    watched.cancel();
    expect([onChunk.mock.calls, onEnd.mock.calls]).toEqual([[], [[]]]);
  });
});
