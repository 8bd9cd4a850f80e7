/**
 * Stores that count requests: in memory, and made of the limiters of rate-limiter-flexible.
 * @module
 */

import type { RateStore } from "./runtime.ts";

/** The part that all limiters of rate-limiter-flexible have; one with these options refuses nobody by itself. */
export interface Limiter {
  consume(key: string, points: number, options: { customDuration: number }): Promise<Consumed>;
}

/** What a limiter tells. */
export interface Consumed {
  consumedPoints: number;
  msBeforeNext: number;
}

/** The options of a limiter that only counts. */
export const COUNTING = { points: Number.MAX_SAFE_INTEGER, duration: 1, keyPrefix: "fetchvia" } as const;

/** Makes a store of a limiter. */
export function createStore(limiter: Limiter): RateStore {
  return {
    async count(caller, seconds) {
      const options = { customDuration: seconds };
      const { consumedPoints, msBeforeNext } = await limiter.consume(nameOf(caller, seconds), 1, options);
      return { requests: consumedPoints, msLeft: msBeforeNext };
    },
  };
}

/** So many callers are remembered before it is worth while to look for those whose time is over. */
const LEAST_KEPT = 1_000;

/**
 * Makes a store in memory: it is gone with the process.
 *
 * It forgets when it is used, not by timers, which may end with the request that set them. Looked through are all
 * callers, but only when they are twice as many as were left the last time, so that each costs the same however many there are.
 */
export function createMemoryStore(): RateStore {
  const times = new Map<string, { requests: number; end: number }>();
  let mostKept = LEAST_KEPT;
  const forget = (now: number) => {
    for (const [key, { end }] of times) if (end <= now) times.delete(key);
    mostKept = Math.max(LEAST_KEPT, times.size * 2);
  };
  return {
    count(caller, seconds) {
      // Nobody sets this clock back.
      const now = performance.now();
      const key = nameOf(caller, seconds);
      let time = times.get(key);
      if (!time || time.end <= now) {
        if (times.size >= mostKept) forget(now);
        time = { requests: 0, end: now + seconds * 1_000 };
        times.set(key, time);
      }
      time.requests += 1;
      return Promise.resolve({ requests: time.requests, msLeft: time.end - now });
    },
  };
}

/** Times of another length are another count: who changes RATE_LIMIT need not wait for the end of the old one. */
function nameOf(caller: string, seconds: number): string {
  return `${seconds}s:${caller}`;
}
