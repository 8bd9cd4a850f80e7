/**
 * Stores that count requests, made of the limiters of rate-limiter-flexible.
 * @module
 */

import RateLimiterMemory from "rate-limiter-flexible/lib/RateLimiterMemory.js";
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
      // Times of another length are another count: who changes RATE_LIMIT need not wait for the end of the old one.
      const options = { customDuration: seconds };
      const { consumedPoints, msBeforeNext } = await limiter.consume(`${seconds}s:${caller}`, 1, options);
      return { requests: consumedPoints, msLeft: msBeforeNext };
    },
  };
}

/** Makes a store in memory: it is gone with the process. */
export function createMemoryStore(): RateStore {
  return createStore(new RateLimiterMemory(COUNTING));
}
