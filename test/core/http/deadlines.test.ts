/** Deadlines of one length: each is over in its time, with a timer of its own or one for all. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createDeadlines } from "../../../src/core/http/deadlines.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("the timer of shared deadlines", () => {
  /** How often timers are set, and the one that was set first. */
  function watchTimers() {
    const timers = vi.spyOn(globalThis, "setTimeout");
    return { timers, first: () => timers.mock.results[0]!.value as NodeJS.Timeout };
  }
  const ignore = () => {};

  it("stays for the next deadlines, and keeps the process running only while there is one", () => {
    const { timers, first } = watchTimers();
    const deadline = createDeadlines(100, true).start(ignore);
    const isKept = [deadline.start, deadline.stop, deadline.start].map((change) => {
      change.call(deadline);
      return first().hasRef();
    });
    expect(isKept).toEqual([true, false, true]);
    expect(timers).toHaveBeenCalledTimes(1);
  });

  it("ends with the last deadline where it would keep the process running", () => {
    const clear = vi.fn();
    vi.stubGlobal("setTimeout", () => 1);
    vi.stubGlobal("clearTimeout", clear);
    const deadline = createDeadlines(100, true).start(ignore);
    deadline.stop();
    vi.unstubAllGlobals();
    expect(clear).toHaveBeenCalledExactlyOnceWith(1);
  });
});
