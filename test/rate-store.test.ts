/**
 * The stores that count: in memory, and made of any limiter.
 * @module
 */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createMemoryStore, createStore, type Limiter } from "../src/rate-store.ts";

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

describe("a store of a limiter", () => {
  it("asks it for one point, and tells what it told", async () => {
    const consume = vi.fn<Limiter["consume"]>(() => Promise.resolve({ consumedPoints: 7, msBeforeNext: 8 }));
    expect(await createStore({ consume }).count("a", 9)).toEqual({ requests: 7, msLeft: 8 });
    expect(consume.mock.calls).toEqual([["9s:a", 1, { customDuration: 9 }]]);
  });
});
