/** The requests that the page knows. @module */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MAX_ROWS, TrafficStore } from "../../../src/console/traffic/store.ts";
import { entryOf, messageOf } from "./entries.ts";

beforeEach(() => vi.useFakeTimers({ now: 500 }));
afterEach(() => vi.useRealTimers());

const keysOf = (store: TrafficStore) => store.shown().map(({ key }) => key);
/** Requests that arrived one millisecond after the other. */
const entriesOf = (...keys: string[]) => keys.map((key) => entryOf({ key, time: 1_000 + Number(key) }));

describe("the store", () => {
  it("gives the newest first, by arrival", () => {
    const store = new TrafficStore();
    store.add(messageOf({ entries: entriesOf("1", "3") }), true);
    store.add(messageOf({ entries: entriesOf("4", "2") }), false);
    expect(keysOf(store)).toEqual(["4", "3", "2", "1"]);
  });

  it("holds thousands, and no more", () => {
    const store = new TrafficStore();
    const many = Array.from({ length: MAX_ROWS + 10 }, (_, index) => String(index));
    store.add(messageOf({ entries: entriesOf(...many) }), false);
    expect([store.size, keysOf(store).at(-1)]).toEqual([MAX_ROWS, "10"]);
  });

  it("holds what is pinned, with its note, when newer ones come and when it is cleared", () => {
    const store = new TrafficStore();
    store.add(messageOf({ running: [entryOf({ key: "1", time: 1, isRunning: true })] }), false);
    store.pin("1", "The Note");
    store.add(messageOf({ entries: entriesOf("1", "2") }), false);
    expect(store.shown().at(-1)?.entry).toMatchObject({ key: "1", status: 200, note: "The Note" });
    expect(store.find("note")).toHaveLength(1);
    const many = Array.from({ length: MAX_ROWS + 10 }, (_, index) => String(index + 3));
    store.add(messageOf({ entries: entriesOf(...many) }), false);
    expect([store.size, keysOf(store).at(-1), keysOf(store).at(-2)]).toEqual([MAX_ROWS, "1", "14"]);
    store.clear();
    expect(keysOf(store)).toEqual(["1"]);
    store.pin("1", undefined);
    store.pin("unknown", "");
    store.clear();
    expect(keysOf(store)).toEqual([]);
  });

  it("adds only what is new of a ring, after a reconnection", () => {
    const store = new TrafficStore();
    store.add(messageOf({ entries: entriesOf("1", "2", "3") }), true);
    store.add(messageOf({ entries: entriesOf("2", "3", "4") }), true);
    expect(keysOf(store)).toEqual(["4", "3", "2", "1"]);
  });

  it("keeps the row of a request that runs when it ends, at its place", () => {
    const store = new TrafficStore();
    const running = [entryOf({ key: "1", time: 1_001, status: 0, isRunning: true })];
    store.add(messageOf({ running, entries: entriesOf("2") }), false);
    const row = store.shown()[1];
    store.add(messageOf({ entries: entriesOf("1"), running }), false);
    expect(store.shown()[1]).toBe(row);
    expect([row?.entry.isRunning, row?.entry.status, store.size]).toEqual([undefined, 200, 2]);
  });

  it("drops what runs no more, and counts what runs beyond the list", () => {
    const store = new TrafficStore();
    store.add(messageOf({ running: [entryOf({ key: "1", isRunning: true })], runningCount: 250 }), false);
    expect([keysOf(store), store.runningCount]).toEqual([["1"], 250]);
    store.add(messageOf({ entries: entriesOf("2") }), false);
    expect(keysOf(store)).toContain("1");
    store.add(messageOf(), true);
    expect([keysOf(store), store.runningCount]).toEqual([["2"], 0]);
  });

  it("sums what is not listed", () => {
    const store = new TrafficStore();
    store.add(messageOf({ skipped: 5 }), false);
    store.add(messageOf({ skipped: 2 }), false);
    expect(store.skipped).toBe(7);
  });

  it("clears what has ended, for good, and keeps what runs", () => {
    const store = new TrafficStore();
    const running = [entryOf({ key: "9", isRunning: true })];
    store.add(messageOf({ entries: entriesOf("1", "2"), running, skipped: 3 }), true);
    store.clear();
    expect([keysOf(store), store.skipped]).toEqual([["9"], 0]);
    const late = entryOf({ key: "3", time: 1_000_001 });
    store.add(messageOf({ entries: [...entriesOf("1", "2"), late], running }), true);
    expect(keysOf(store)).toEqual(["3", "9"]);
    const again = new TrafficStore();
    again.clear(1_000_050);
    again.add(messageOf({ now: 1_000_100, entries: [entryOf({ key: "2" }), late] }), true);
    again.addListed([entryOf({ key: "file-1" })]);
    expect(keysOf(again)).toEqual(["3", "file-1"]);
    const misled = new TrafficStore();
    misled.clear(1e18);
    misled.add(messageOf(), true);
    misled.add(messageOf({ entries: [late] }), false);
    expect(keysOf(misled)).toEqual(["3"]);
  });

  it("filters what is there and what comes, by the proxy's clock", () => {
    const store = new TrafficStore();
    store.filter(">2s");
    const running = [entryOf({ key: "1", time: 1_000_000, isRunning: true, totalMs: 0 })];
    store.add(messageOf({ now: 1_001_000, running, entries: entriesOf("2") }), false);
    expect([keysOf(store), store.find("status:5xx"), store.find("key").length]).toEqual([[], [], 0]);
    expect(store.find("").map(({ key }) => key)).toEqual(["2", "1"]);
    vi.advanceTimersByTime(1_500);
    expect(keysOf(store)).toEqual(["1"]);
    store.filter("");
    expect(keysOf(store)).toEqual(["1", "2"]);
  });

  it("finds by since: what ran until then, as time passes", () => {
    const store = new TrafficStore();
    store.add(messageOf({ now: 2_000, entries: entriesOf("1", "800") }), false);
    store.filter("since:1s");
    expect(keysOf(store)).toEqual(["800", "1"]);
    vi.advanceTimersByTime(600);
    expect(keysOf(store)).toEqual(["800"]);
    vi.advanceTimersByTime(600);
    expect(keysOf(store)).toEqual([]);
  });

  it("learns where a body holds a text", () => {
    const store = new TrafficStore();
    store.filter("body:s3");
    store.add(messageOf({ entries: entriesOf("1", "2") }), false);
    expect(store.isSearching).toBe(true);
    store.learnBodies("s3", ["2"]);
    expect(store.isSearching).toBe(false);
    expect(keysOf(store)).toEqual(["2"]);
  });
});
