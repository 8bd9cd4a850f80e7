/** Watchers of live traffic: what they are told, and when they leave. @module */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OpenRequests, type Recording } from "../../../src/core/exchange/record.ts";
import { Traffic } from "../../../src/parts/console/traffic.ts";
import type { TrafficEntry } from "../../../src/parts/console/traffic-message.ts";
import { MAX_ENTRIES, MAX_WATCHERS } from "../../../src/parts/console/traffic-watchers.ts";
import { linkProcesses, messagesOf, recordOf, runningOf } from "./records.ts";

const signal = () => new AbortController().signal;

/** Watches, and reads the messages. */
async function messagesFor(traffic: Traffic, until = signal()) {
  return messagesOf((await traffic.openWatchers()).watch(until));
}

beforeEach(() => vi.useFakeTimers({ now: 1_000_000_000_000 }));
afterEach(() => vi.useRealTimers());

describe("a watcher", () => {
  it("gets the ring first, then what is gathered, in one message", async () => {
    const traffic = new Traffic();
    traffic.note(recordOf({ status: 201 }));
    const reader = await messagesFor(traffic);
    expect(await reader.next()).toMatch(/^retry: \d+\nevent: ring\ndata: .*"status":201/);
    traffic.note(recordOf({ status: 202 }));
    traffic.note(recordOf({ status: 203 }));
    vi.advanceTimersByTime(100);
    const { entries, skipped, counts } = await reader.data();
    expect([entries.map(({ status }: TrafficEntry) => status), skipped]).toEqual([[202, 203], 0]);
    expect(counts).toEqual([[1_000_000_000, 3, 0, 0, 0, 0]]);
  });

  it("is told how many were too many for a message, and gets all of them counted", async () => {
    const traffic = new Traffic();
    const reader = await messagesFor(traffic);
    await reader.next();
    for (let index = 0; index < 5_000; index += 1) {
      traffic.note(recordOf({ status: index % 10 ? 200 : 502, bytesOut: 7, headMs: 12 }));
    }
    vi.advanceTimersByTime(100);
    const { entries, skipped, counts } = await reader.data();
    expect([entries.length, skipped]).toEqual([MAX_ENTRIES, 5_000 - MAX_ENTRIES]);
    expect(counts).toEqual([[1_000_000_000, 5_000, 500, 35_000, expect.closeTo(12, 0), 12]]);
  });

  it("that comes a minute later still gets all counted, though the ring is smaller", async () => {
    const traffic = new Traffic();
    for (let index = 0; index < 1_200; index += 1) traffic.note(recordOf());
    vi.advanceTimersByTime(60_000);
    const { entries, counts } = await (await messagesFor(traffic)).data();
    expect([entries.length, counts]).toEqual([1_000, [[1_000_000_000, 1_200, 0, 0, 0, 0]]]);
  });

  it.each([
    { about: "in the ring", isLater: false },
    { about: "in what comes later", isLater: true },
  ])("sees what was captured only if it may: $about", async ({ isLater }) => {
    const traffic = new Traffic();
    const note = () =>
      traffic.note(recordOf({ capture: { operation: "tools/call", query: "?page=2" } as Recording }));
    const watchers = await traffic.openWatchers();
    for (const early of isLater ? [] : [note]) early();
    const readers = [true, false].map((sees) => messagesOf(watchers.watch(signal(), sees)));
    for (const reader of isLater ? readers : []) await reader.next();
    note();
    vi.advanceTimersByTime(100);
    const told = await Promise.all(readers.map((reader) => reader.next()));
    expect(told.map((text) => /page=2|tools\/call/.test(String(text)))).toEqual([true, false]);
  });

  it("is kept alive", async () => {
    const reader = await messagesFor(new Traffic());
    await reader.next();
    vi.advanceTimersByTime(15_000);
    expect(await reader.next()).toBe(": alive\n\n");
  });

  it("that reads too slowly is cut off", async () => {
    const traffic = new Traffic();
    (await traffic.openWatchers()).watch(signal());
    vi.advanceTimersByTime(15_000 * 70);
    expect(traffic.watching).toBe(0);
  });

  it.each([
    { about: "the caller is gone", end: "abort" as const },
    { about: "the stream is cancelled", end: "cancel" as const },
    { about: "the proxy stops", end: "close" as const },
  ])("leaves when $about, and no timer stays", async ({ end }) => {
    const traffic = new Traffic();
    const controller = new AbortController();
    const reader = await messagesFor(traffic, controller.signal);
    await { abort: () => controller.abort(), cancel: () => reader.cancel(), close: () => traffic.close() }
      [end]();
    expect([traffic.watching, vi.getTimerCount()]).toEqual([0, 0]);
    traffic.note(recordOf());
    expect([vi.getTimerCount(), traffic.open]).toEqual([0, undefined]);
  });

  it("that has left before it could watch is none", async () => {
    const traffic = new Traffic();
    const controller = new AbortController();
    controller.abort();
    await messagesFor(traffic, controller.signal);
    expect([traffic.watching, vi.getTimerCount(), traffic.open]).toEqual([0, 0, undefined]);
  });

  it("is refused where too many watch already", async () => {
    const watchers = await new Traffic().openWatchers();
    for (let count = 0; count < MAX_WATCHERS; count += 1) watchers.watch(signal());
    expect(() => watchers.watch(signal())).toThrow(expect.objectContaining({ code: "overloaded" }));
  });
});

describe("what runs", () => {
  it.each([
    { about: "kept by a server", open: new OpenRequests() },
    { about: "kept here while somebody watches", open: undefined },
  ])("is shown once it is old enough, $about, and only when it has changed", async ({ open }) => {
    const traffic = new Traffic("ticket", undefined, open);
    const reader = await messagesFor(traffic);
    await reader.next();
    const record = runningOf((open ?? traffic.open)!, (over) => traffic.note(over));
    vi.advanceTimersByTime(700);
    const { running } = await reader.data();
    expect(running).toEqual([expect.objectContaining({ key: record.id, status: 0, isRunning: true })]);
    Object.assign(record, { status: 200, bytesOut: 5 });
    vi.advanceTimersByTime(700);
    expect((await reader.data()).running)
      .toEqual([expect.objectContaining({ key: record.id, status: 200, bytesOut: 5 })]);
    record.end();
    vi.advanceTimersByTime(700);
    const { entries, running: left } = await reader.data();
    expect(entries).toEqual([expect.objectContaining({ key: record.id, bytesOut: 5 })]);
    expect(entries[0]).not.toHaveProperty("isRunning");
    expect(left).toEqual([]);
  });

  it("is not listed for long lists beyond a limit, but counted", async () => {
    const traffic = new Traffic();
    await messagesFor(traffic);
    for (let index = 0; index < 250; index += 1) runningOf(traffic.open!);
    vi.advanceTimersByTime(1_000);
    const { running, runningCount } = await (await messagesFor(traffic)).data();
    expect([running.length, runningCount]).toEqual([200, 250]);
  });
});

it("several processes show what others answer, count it together, and skip what they skip", async () => {
  const share = linkProcesses();
  const [one, other] = [new Traffic("ticket", share), new Traffic("ticket", share)];
  for (let index = 0; index < 300; index += 1) one.note(recordOf({ target: "there.test" }));
  other.note(recordOf({ target: "here.test" }));
  vi.advanceTimersByTime(100);
  const before = await (await messagesFor(other)).data();
  expect(before.counts).toEqual([[1_000_000_000, 301, 0, 0, 0, 0]]);
  expect(before.entries.filter(({ target }: TrafficEntry) => target === "there.test")).toHaveLength(200);
  const reader = await messagesFor(one);
  await reader.next();
  for (let index = 0; index < 300; index += 1) other.note(recordOf({ target: "late.test" }));
  vi.advanceTimersByTime(200);
  const { entries, skipped, counts } = await reader.data();
  expect([entries.length, skipped, counts[0][1]]).toEqual([200, 100, 601]);
});
