/** The limits of a body: what is counted, and when the time runs. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createDeadlines } from "../../../src/core/http/deadlines.ts";
import type { FlowReader } from "../../../src/core/http/flow-reader.ts";
import { type BodyWatch, FlowWatch } from "../../../src/core/http/flow-watch.ts";

const STALLED = new Error("stalled");
const TOO_LARGE = new Error("too large");
const READER: FlowReader = { take: () => false, end: () => {} };

function watching(watch: Partial<BodyWatch> = {}) {
  const fail = vi.fn();
  const [onWait, onChunk, onEnd] = [vi.fn(), vi.fn(), vi.fn()];
  const own = { maxBytes: 0, stalled: () => STALLED, tooLarge: () => TOO_LARGE, onWait, onChunk, onEnd };
  return { watched: new FlowWatch({ ...own, ...watch }, fail), fail, onWait, onChunk, onEnd };
}

it.each([
  { maxBytes: 3, chunks: [3], failures: [undefined] },
  { maxBytes: 3, chunks: [2, 2], failures: [undefined, TOO_LARGE] },
  { maxBytes: 0, chunks: [9_999_999], failures: [undefined] },
])("the size of a body of $chunks bytes, where $maxBytes may be", ({ maxBytes, chunks, failures }) => {
  const { watched, onChunk } = watching({ maxBytes });
  expect(chunks.map((size) => watched.count(size))).toEqual(failures);
  expect(onChunk.mock.calls.flat()).toEqual(chunks);
});

describe("the time of a body", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

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
    { about: "nothing is asked for", stop: (watched: FlowWatch) => watched.rest(READER) },
    { about: "nobody wants the rest", stop: (watched: FlowWatch) => watched.cancel() },
  ])("stops when $about", ({ stop }) => {
    const { watched, fail } = watching({ idle: createDeadlines(1_000, true) });
    watched.wait();
    stop(watched);
    vi.advanceTimersByTime(10_000);
    expect([fail.mock.calls, vi.getTimerCount()]).toEqual([[], 0]);
  });
});

describe("the reader of a body that wants nothing", () => {
  const UNTAKEN = new Error("untaken");

  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  /** A body whose reader is looked at every 250 ms, and wants nothing for now. */
  function resting(unsent?: number) {
    const reader = { ...READER, unsent };
    const body = watching({ look: createDeadlines(250, true), untaken: () => UNTAKEN });
    body.watched.wait();
    body.watched.rest(reader);
    return { ...body, reader };
  }

  it.each([
    { about: "that tells what it has not taken", unsent: 9 },
    { about: "that tells nothing", unsent: undefined },
  ])("is given up once it has taken nothing for so long: one $about", ({ unsent }) => {
    const { fail } = resting(unsent);
    vi.advanceTimersByTime(1_249);
    expect(fail).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(fail.mock.calls).toEqual([[UNTAKEN]]);
  });

  it("is left alone while it takes a byte from time to time", () => {
    const { reader, fail } = resting(9);
    for (let left = 8; left > 0; left -= 1) {
      vi.advanceTimersByTime(900);
      reader.unsent = left;
    }
    expect(fail).not.toHaveBeenCalled();
  });

  it("has all its time again once it has wanted more", () => {
    const { watched, reader, fail } = resting(9);
    vi.advanceTimersByTime(1_200);
    watched.wait();
    watched.rest(reader);
    vi.advanceTimersByTime(1_249);
    expect(fail).not.toHaveBeenCalled();
  });

  it.each([
    { about: "whole", end: (watched: FlowWatch) => watched.finish(undefined) },
    { about: "not wanted any more", end: (watched: FlowWatch) => watched.cancel() },
  ])("is not looked at once the body is $about", ({ end }) => {
    const { watched, fail } = resting(9);
    end(watched);
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
