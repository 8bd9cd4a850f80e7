/** Live traffic of several processes: what they tell each other, and when. @module */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OpenRequests } from "../../../src/core/exchange/record.ts";
import { columnOf, TrafficCounts } from "../../../src/parts/console/traffic-counts.ts";
import { RunningRequests } from "../../../src/parts/console/traffic-requests.ts";
import { type ShareTraffic, TrafficShare } from "../../../src/parts/console/traffic-share.ts";
import { linkProcesses, recordOf, runningOf } from "./records.ts";

const NOW = 1_000_000_000_000;

beforeEach(() => vi.useFakeTimers({ now: NOW }));
afterEach(() => vi.useRealTimers());

/** A process with its counters, its requests in flight, and what it was told. */
function startProcess(share: ShareTraffic) {
  const open = new OpenRequests();
  const running = new RunningRequests(open);
  const counts = new TrafficCounts();
  const taken: [number, number][] = [];
  const [wanted, captured]: [boolean[], boolean[]] = [[], []];
  const own = new TrafficShare(share, {
    counts,
    listRunning: (now) => running.list(now),
    keepRunning: (isWanted) => void wanted.push(isWanted),
    keepCapture: (isWanted) => void captured.push(isWanted),
    take: (entries, skipped) => void taken.push([entries.length, skipped]),
  });
  const note = () => {
    counts.add(Date.now(), false, 1, 1);
    own.note(recordOf(), columnOf(Date.now()));
  };
  const runningElsewhere = () => own.running(Date.now()).flatMap(({ entries }) => entries);
  return { own, open, counts, taken, wanted, captured, note, runningElsewhere };
}

describe("processes", () => {
  it("tell what ended, the newest of too many, and count all", () => {
    const share = linkProcesses();
    const [one, other] = [startProcess(share), startProcess(share)];
    for (let index = 0; index < 205; index += 1) one.note();
    vi.advanceTimersByTime(100);
    expect(other.taken).toEqual([[200, 5]]);
    expect(other.own.counts.map((counts) => counts.countOf(columnOf(NOW)))).toEqual([205]);
    expect(one.taken).toEqual([]);
  });

  it("tell a new one what they have counted", () => {
    const share = linkProcesses();
    startProcess(share).note();
    vi.advanceTimersByTime(5_000);
    const late = startProcess(share);
    expect(late.own.counts.map((counts) => counts.countOf(columnOf(NOW)))).toEqual([1]);
    expect(late.taken).toEqual([]);
  });

  it("tell what runs only while one of them is watched", () => {
    const share = linkProcesses();
    const [one, other] = [startProcess(share), startProcess(share)];
    const { id } = runningOf(one.open);
    vi.advanceTimersByTime(5_000);
    expect([other.runningElsewhere(), vi.getTimerCount()]).toEqual([[], 0]);
    other.own.keepWatched(Date.now(), false);
    vi.advanceTimersByTime(250);
    expect(other.runningElsewhere()).toMatchObject([{ key: id, isRunning: true }]);
    vi.advanceTimersByTime(4_000);
    expect([vi.getTimerCount(), one.wanted]).toEqual([0, [true, false]]);
  });

  it("show what runs in another for as long as it says so", () => {
    const share = linkProcesses();
    const [one, other] = [startProcess(share), startProcess(share)];
    const record = runningOf(one.open);
    const watching = setInterval(() => other.own.keepWatched(Date.now(), false), 100);
    vi.advanceTimersByTime(20_000);
    expect(other.runningElsewhere()).toHaveLength(1);
    record.answered(200, 0);
    vi.advanceTimersByTime(300);
    expect(other.runningElsewhere()).toEqual([]);
    clearInterval(watching);
  });

  it("show nothing more of one that has died", () => {
    const dead = { is: false };
    const linked = linkProcesses();
    const dying: ShareTraffic = (take) => {
      const send = linked(take);
      return (news) => dead.is || send(news);
    };
    const [one, other] = [startProcess(dying), startProcess(linked)];
    runningOf(one.open);
    const watching = setInterval(() => other.own.keepWatched(Date.now(), false), 100);
    vi.advanceTimersByTime(2_000);
    expect(other.runningElsewhere()).toHaveLength(1);
    dead.is = true;
    vi.advanceTimersByTime(3_100);
    expect(other.runningElsewhere()).toEqual([]);
    clearInterval(watching);
  });

  it("capture for one that is watched until it says no more", () => {
    const share = linkProcesses();
    const [one, other, third] = [startProcess(share), startProcess(share), startProcess(share)];
    other.own.tellCapture(true);
    third.own.tellCapture(true);
    other.own.tellCapture(false);
    third.own.tellCapture(false);
    expect(one.captured).toEqual([true, true, true, false]);
    expect(other.captured).toEqual([true, false]);
  });

  it("capture for one that is watched until it has died, and for a new one from then on", () => {
    const share = linkProcesses();
    const [one, other] = [startProcess(share), startProcess(share)];
    other.own.tellCapture(true);
    const watching = setInterval(() => other.own.keepWatched(Date.now(), true), 100);
    vi.advanceTimersByTime(20_000);
    const late = startProcess(share);
    vi.advanceTimersByTime(1_000);
    expect([one.captured.at(-1), late.captured.at(-1)]).toEqual([true, true]);
    clearInterval(watching);
    vi.advanceTimersByTime(4_000);
    expect([one.captured.at(-1), late.captured.at(-1), vi.getTimerCount()]).toEqual([false, false, 0]);
  });

  it("capture no longer for one that died right after it began", () => {
    const share = linkProcesses();
    const [one, other] = [startProcess(share), startProcess(share)];
    other.own.keepWatched(Date.now(), false);
    vi.advanceTimersByTime(900);
    other.own.tellCapture(true);
    expect(one.captured.at(-1)).toBe(true);
    vi.advanceTimersByTime(10_000);
    expect([one.captured.at(-1), vi.getTimerCount()]).toEqual([false, 0]);
  });

  it("capture for one that carries nothing, among more than are remembered", () => {
    const share = linkProcesses();
    const [one, other] = [startProcess(share), startProcess(share)];
    const many = Array.from({ length: 70 }, () => startProcess(share));
    other.own.tellCapture(true);
    const watching = setInterval(() => other.own.keepWatched(Date.now(), true), 100);
    vi.advanceTimersByTime(1_000);
    const before = one.captured.length;
    for (const process of many.slice(0, 5)) {
      process.note();
      vi.advanceTimersByTime(900);
    }
    expect(new Set(one.captured.slice(before))).toEqual(new Set([true]));
    clearInterval(watching);
  });

  it("do not take their own news for another's", () => {
    const takers: Parameters<ShareTraffic>[0][] = [];
    const one = startProcess((take) => {
      takers.push(take);
      return (news) => takers.forEach((every) => every(news));
    });
    one.note();
    vi.advanceTimersByTime(100);
    expect([one.taken, one.own.counts]).toEqual([[], []]);
  });
});
