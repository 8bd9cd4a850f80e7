/** Who takes nothing of what waits, and who is only slow. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { lookMsOf } from "../../../src/core/http/deadlines.ts";
import { Looks, Stall } from "../../../src/core/http/stall.ts";
import { rowsOf } from "../../support/rows.ts";

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

describe("looks at all of many", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("are there while somebody is, with one timer", () => {
    const [one, other] = [{ look: vi.fn() }, { look: vi.fn() }];
    const all = new Set([one]);
    const looks = new Looks(all, 1_000);
    expect(vi.getTimerCount()).toBe(0);
    looks.added();
    vi.advanceTimersByTime(500);
    all.add(other);
    looks.added();
    vi.advanceTimersByTime(250);
    expect([one.look.mock.calls.length, other.look.mock.calls.length, vi.getTimerCount()]).toEqual([3, 1, 1]);
    all.delete(one);
    looks.deleted();
    all.delete(other);
    looks.deleted();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("end with the last one that they find", () => {
    const all = new Set<{ look(): void }>();
    const looks = new Looks(all, 1_000);
    const look = vi.fn(() => {
      all.clear();
      looks.deleted();
    });
    all.add({ look });
    looks.added();
    vi.advanceTimersByTime(2_000);
    expect([look.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0]);
  });
});
