/** Deadlines of one length: each is over in its time, with a timer of its own or one for all. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createDeadlines, lookMsOf, Stall } from "../../../src/core/http/deadlines.ts";
import { rowsOf } from "../../support/rows.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Starts one under a name, which is noted when it is over. */
function starter(ms: number, isShared: boolean) {
  const over: string[] = [];
  const deadlines = createDeadlines(ms, isShared);
  return { over, start: (name: string) => deadlines.start(() => over.push(name)) };
}

describe.each([{ timers: "a timer each", isShared: false }, { timers: "one timer", isShared: true }])(
  "deadlines with $timers",
  ({ isShared }) => {
    describeOne(isShared);
    describeMany(isShared);
  },
);

function describeOne(isShared: boolean): void {
  it.each([1, 100])("one is over after its length, once: %i ms", async (ms) => {
    const { over, start } = starter(ms, isShared);
    start("a");
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(over).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(over).toEqual(["a"]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(over).toEqual(["a"]);
  });

  it("one is never over with 0", async () => {
    const { over, start } = starter(0, isShared);
    start("a").start();
    await vi.advanceTimersByTimeAsync(86_400_000);
    expect(over).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("one is not over once it is stopped, however often", async () => {
    const { over, start } = starter(100, isShared);
    const deadline = start("a");
    deadline.stop();
    deadline.stop();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(over).toEqual([]);
  });

  it("one begins anew when it is started again, running or not", async () => {
    const { over, start } = starter(100, isShared);
    const deadline = start("a");
    await vi.advanceTimersByTimeAsync(60);
    deadline.start();
    await vi.advanceTimersByTimeAsync(60);
    deadline.stop();
    deadline.start();
    await vi.advanceTimersByTimeAsync(99);
    expect(over).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(over).toEqual(["a"]);
  });
}

function describeMany(isShared: boolean): void {
  it("are over each in its own time, in order", async () => {
    const { over, start } = starter(100, isShared);
    start("a");
    await vi.advanceTimersByTimeAsync(30);
    start("b");
    start("c");
    await vi.advanceTimersByTimeAsync(70);
    expect(over).toEqual(["a"]);
    await vi.advanceTimersByTimeAsync(30);
    expect(over).toEqual(["a", "b", "c"]);
  });

  it.each(rowsOf(["stopped", "left"], [[0, ["b", "c"]], [1, ["a", "c"]], [2, ["a", "b"]]]))(
    "go on without number $stopped",
    async ({ stopped, left }) => {
      const { over, start } = starter(100, isShared);
      const deadlines = ["a", "b", "c"].map(start);
      deadlines[stopped]?.stop();
      await vi.advanceTimersByTimeAsync(100);
      expect(over).toEqual(left);
    },
  );

  it("change places when one begins anew", async () => {
    const { over, start } = starter(100, isShared);
    const first = start("a");
    start("b");
    await vi.advanceTimersByTimeAsync(50);
    first.start();
    await vi.advanceTimersByTimeAsync(50);
    expect(over).toEqual(["b"]);
    await vi.advanceTimersByTimeAsync(50);
    expect(over).toEqual(["b", "a"]);
  });

  it("may be started and stopped while one is over", async () => {
    const over: string[] = [];
    const deadlines = createDeadlines(100, isShared);
    deadlines.start(() => {
      other.stop();
      deadlines.start(() => over.push("later"));
      over.push("first");
    });
    const other = deadlines.start(() => over.push("other"));
    await vi.advanceTimersByTimeAsync(100);
    expect(over).toEqual(["first"]);
    await vi.advanceTimersByTimeAsync(100);
    expect(over).toEqual(["first", "later"]);
  });

  it("take one timer where one starts again as it is over", () => {
    const deadline = createDeadlines(100, isShared).start(() => deadline.start());
    vi.advanceTimersByTime(1_000);
    expect(vi.getTimerCount()).toBe(1);
    deadline.stop();
    vi.advanceTimersByTime(100);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("take as many timers as they may, and leave none behind", () => {
    const { start } = starter(100, isShared);
    const deadlines = Array.from({ length: 50 }, (_, index) => start(String(index)));
    expect(vi.getTimerCount()).toBe(isShared ? 1 : 50);
    for (const deadline of deadlines) deadline.stop();
    vi.advanceTimersByTime(100);
    expect(vi.getTimerCount()).toBe(0);
  });
}

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

  it("gives the next ones their whole time", () => {
    const expire = vi.fn();
    const deadline = createDeadlines(100, true).start(expire);
    deadline.stop();
    vi.advanceTimersByTime(60);
    deadline.start();
    vi.advanceTimersByTime(99);
    expect(expire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(expire).toHaveBeenCalledTimes(1);
  });

  it("ends with the last deadline where it would keep the process running", () => {
    const clear = vi.fn();
    vi.stubGlobal("setTimeout", () => 1);
    vi.stubGlobal("clearTimeout", clear);
    createDeadlines(100, true).start(ignore).stop();
    vi.unstubAllGlobals();
    expect(clear).toHaveBeenCalledExactlyOnceWith(1);
  });
});

describe("looks at a reader", () => {
  it.each(rowsOf(["about", "taken", "stalled"], [
    ["takes nothing", [7, 7, 7, 7, 7], [false, false, false, false, true]],
    ["took all at first", [NaN, 7, 7, 7, 7], [false, false, false, false, false]],
    ["takes a byte in between", [7, 7, 7, 8, 8, 8, 8, 8], [...Array(7).fill(false), true]],
    ["takes a byte at every look", [1, 2, 3, 4, 5, 6, 7], Array(7).fill(false)],
    ["is given less than it took", [7, 7, 7, 7, 6], Array(5).fill(false)],
  ]))("that $about", ({ taken, stalled }) => {
    const stall = new Stall();
    expect(taken.map((bytes) => stall.look(!Number.isNaN(bytes), bytes))).toEqual(stalled);
  });

  it("count from the first byte that waits", () => {
    const stall = new Stall();
    const looks = [false, false, false, true, true, true, true].map((isWaiting) => stall.look(isWaiting, 7));
    expect(looks).toEqual(Array(7).fill(false));
    expect(stall.look(true, 7)).toBe(true);
  });
});

it.each([{ idleTimeoutMs: 1_000, ms: 250 }, { idleTimeoutMs: 1, ms: 1 }, { idleTimeoutMs: 0, ms: 75_000 }])(
  "the time between two looks is $ms ms where the idle timeout is $idleTimeoutMs",
  ({ idleTimeoutMs, ms }) => expect(lookMsOf(idleTimeoutMs)).toBe(ms),
);
