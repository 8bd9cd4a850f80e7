/** The store in memory that counts. @module */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RateStore } from "../../../src/core/runtime.ts";
import { createMemoryStore } from "../../../src/core/door/rate-store.ts";

describe("a store in memory", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("counts each caller for itself, each length of time too", async () => {
    const store = createMemoryStore();
    const counts = [
      await store.count("a", 10),
      await store.count("a", 10),
      await store.count("b", 10),
      await store.count("a", 20),
    ];
    expect(counts.map(({ requests }) => requests)).toEqual([1, 2, 1, 1]);
    expect(counts.map(({ msLeft }) => msLeft)).toEqual([10_000, 10_000, 10_000, 20_000]);
  });

  it("begins anew when the time is over", async () => {
    const store = createMemoryStore();
    await store.count("a", 10);
    vi.advanceTimersByTime(9_000);
    expect(await store.count("a", 10)).toEqual({ requests: 2, msLeft: 1_000 });
    vi.advanceTimersByTime(1_001);
    expect(await store.count("a", 10)).toEqual({ requests: 1, msLeft: 10_000 });
  });
});

describe("a store in memory, of many callers", () => {
  const MANY = 1_000;
  let sizes: () => number[];
  beforeEach(() => {
    vi.useFakeTimers();
    // No timer is ever over, as on a Worker.
    vi.stubGlobal("setTimeout", () => 0);
    const made: Map<unknown, unknown>[] = [];
    vi.stubGlobal(
      "Map",
      class<Key, Value> extends Map<Key, Value> {
        constructor() {
          super();
          made.push(this);
        }
      },
    );
    sizes = () => made.map(({ size }) => size);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
  const countAll = (store: RateStore, round: number) =>
    Promise.all(Array.from({ length: MANY }, (_, index) => store.count(`${round}.${index}`, 10)));

  it("forgets those whose time is over", async () => {
    const store = createMemoryStore();
    await Array.from({ length: 10 }).reduce<Promise<unknown>>(async (before, _, round) => {
      await before;
      await countAll(store, round);
      vi.advanceTimersByTime(10_000);
    }, Promise.resolve());
    expect(Math.max(...sizes())).toBeLessThanOrEqual(2 * MANY);
  });

  it("forgets none whose time is not", async () => {
    const store = createMemoryStore();
    await store.count("old", 10);
    vi.advanceTimersByTime(9_999);
    await store.count("new", 10);
    await countAll(store, 1);
    expect((await store.count("old", 10)).requests).toBe(2);
    vi.advanceTimersByTime(1);
    await countAll(store, 2);
    await countAll(store, 3);
    expect((await store.count("old", 10)).requests).toBe(1);
    expect((await store.count("new", 10)).requests).toBe(2);
    expect((await store.count("1.0", 10)).requests).toBe(2);
  });
});
