/** The ring: bounded in number and bytes, whatever runs. @module */
import { describe, expect, it } from "vitest";
import { MOST_REQUESTS, Ring, type RingEntry } from "../../../src/parts/capture/ring.ts";

function entryOf(id: string, isRunning = false): RingEntry & { isDropped: boolean } {
  const entry = { id, isRunning, isDropped: false, drop: () => void (entry.isDropped = true) };
  return entry;
}

describe("a ring", () => {
  it("keeps the newest entries", () => {
    const ring = new Ring(1_000);
    const entries = Array.from({ length: MOST_REQUESTS + 3 }, (_, index) => entryOf(String(index)));
    for (const entry of entries) ring.add(entry);
    expect(ring.size).toBe(MOST_REQUESTS);
    expect(entries.slice(0, 4).map(({ isDropped }) => isDropped)).toEqual([true, true, true, false]);
    expect(ring.entries.map(({ id }) => id)[0]).toBe("3");
  });

  it("drops the oldest that has ended, then the oldest that runs, but never the one that asks", () => {
    const ring = new Ring(400);
    const entries = [entryOf("running", true), entryOf("a"), entryOf("b"), entryOf("c"), entryOf("asks")];
    for (const entry of entries) ring.add(entry);
    const dropped = () => entries.filter(({ isDropped }) => isDropped).map(({ id }) => id);
    for (const { id } of entries.slice(0, 4)) expect(ring.take(id, 100)).toBe(true);
    expect(ring.take("asks", 50)).toBe(true);
    expect(dropped()).toEqual(["a"]);
    expect(ring.take("asks", 50)).toBe(true);
    expect(dropped()).toEqual(["a"]);
    expect(ring.bytes).toBe(400);
    for (const id of ["d", "e"]) ring.add(entryOf(id)), ring.take(id, 100);
    expect(dropped()).toEqual(["a", "b", "c"]);
  });

  it("drops what runs where nothing has ended", () => {
    const ring = new Ring(100);
    const entries = ["a", "b", "c", "d", "e"].map((id) => entryOf(id, true));
    for (const entry of entries) {
      ring.add(entry);
      expect(ring.take(entry.id, 25)).toBe(true);
    }
    expect(entries.map(({ isDropped }) => isDropped)).toEqual([true, false, false, false, false]);
    expect(ring.bytes).toBe(100);
  });

  it("gives one entry a quarter at most", () => {
    const ring = new Ring(100);
    ring.add(entryOf("a"));
    expect([ring.take("a", 26), ring.take("a", 25), ring.take("a", 1)]).toEqual([false, true, false]);
    ring.give("a", 5);
    expect([ring.take("a", 5), ring.bytes]).toEqual([true, 25]);
  });

  it("gives nothing to what it does not hold", () => {
    const ring = new Ring(100);
    ring.give("a", 5);
    expect([ring.take("a", 1), ring.bytes, ring.get("a")]).toEqual([false, 0, undefined]);
  });

  it("forgets everything", () => {
    const ring = new Ring(100);
    const entry = entryOf("a", true);
    ring.add(entry);
    ring.take("a", 10);
    ring.clear();
    expect([ring.size, ring.bytes, entry.isDropped]).toEqual([0, 0, true]);
  });
});
