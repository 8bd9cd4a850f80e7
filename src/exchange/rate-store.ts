/**
 * A store in memory that counts requests.
 * @module
 */

import type { RateCount, RateStore } from "./runtime.ts";

/** Makes the store: it is gone with the process. */
export function createMemoryStore(): RateStore {
  // Times of another length are another count: who changes RATE_LIMIT need not wait for the end of the old one.
  const counters = new Map<number, WindowCounter>();
  return {
    count(caller, seconds) {
      let counter = counters.get(seconds);
      if (!counter) counters.set(seconds, counter = new WindowCounter(seconds * 1_000));
      return Promise.resolve(counter.count(caller));
    },
  };
}

/** The time of one caller. */
interface Window {
  requests: number;
  end: number;
}

/**
 * Counts in windows of one length, which begin with a caller's first request.
 *
 * It keeps the windows of two lengths of time, and drops the older ones all at once: nobody is looked through, however
 * many callers there are. There are no timers, because on some platforms they end with the request that set them.
 */
class WindowCounter {
  readonly #ms: number;
  #newer = new Map<string, Window>();
  #older = new Map<string, Window>();
  #turn = 0;

  constructor(ms: number) {
    this.#ms = ms;
  }

  count(caller: string): RateCount {
    // Nobody sets this clock back.
    const now = performance.now();
    if (now >= this.#turn) this.#dropOlder(now);
    let window = this.#newer.get(caller) ?? this.#older.get(caller);
    if (!window || window.end <= now) {
      window = { requests: 0, end: now + this.#ms };
      this.#newer.set(caller, window);
    }
    window.requests += 1;
    return { requests: window.requests, msLeft: window.end - now };
  }

  /** What began before the turn before this one is over by now. */
  #dropOlder(now: number): void {
    this.#older = this.#newer;
    this.#newer = new Map();
    this.#turn = now + this.#ms;
  }
}
