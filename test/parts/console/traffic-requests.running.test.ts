/** Live traffic: the requests in flight. @module */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OpenRequests } from "../../../src/core/exchange/record.ts";
import { joinRunning, MAX_RUNNING, RunningRequests } from "../../../src/parts/console/traffic-requests.ts";
import { recordOf, runningOf } from "./records.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("running requests", () => {
  it.each([
    { ageMs: 299, count: 0 },
    { ageMs: 300, count: 1 },
  ])("are listed from 300 ms on: $count after $ageMs ms", ({ ageMs, count }) => {
    const open = new OpenRequests();
    const { time } = runningOf(open);
    expect(new RunningRequests(open).list(time + ageMs).count).toBe(count);
  });

  it("are none of the proxy's own pages", () => {
    const open = new OpenRequests();
    open.add(recordOf({ target: undefined }));
    expect(new RunningRequests(open).list(Date.now() + 1_000)).toEqual({ entries: [], count: 0 });
  });

  it("are kept here only while they are wanted and nobody else keeps them", () => {
    const alone = new RunningRequests();
    alone.keep(true);
    const { own } = alone;
    alone.keep(true);
    expect(own).toBeDefined();
    expect(alone.own).toBe(own);
    alone.keep(false);
    const served = new RunningRequests(new OpenRequests());
    served.keep(true);
    expect([alone.own, served.own]).toEqual([undefined, undefined]);
  });

  it("of several processes are one list, oldest first, of the newest", () => {
    const listOf = (times: number[]) => {
      const open = new OpenRequests();
      for (const time of times) Object.assign(runningOf(open), { time });
      return new RunningRequests(open).list(1_000_000);
    };
    const times = Array.from({ length: 150 }, (_, index) => index);
    const joined = joinRunning([
      listOf(times.map((time) => time * 2)),
      listOf(times.map((time) => time * 2 + 1)),
    ]);
    expect(joined.count).toBe(300);
    expect(joined.entries.map(({ time }) => time))
      .toEqual(Array.from({ length: MAX_RUNNING }, (_, index) => 100 + index));
  });
});
