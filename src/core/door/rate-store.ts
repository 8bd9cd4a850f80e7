/**
 * The rate-limit store in memory.
 * @module
 */

import { copyText } from "../http/memo.ts";
import type { RateCount, RateStore } from "../runtime.ts";

/** Makes the store. Its counts end with the process. */
export function createMemoryStore(): RateStore {
  // Windows of different lengths count separately, so a changed RATE_LIMIT applies at once.
  const counters = new Map<number, WindowCounter>();
  return {
    count(caller, seconds) {
      let counter = counters.get(seconds);
      if (!counter) counters.set(seconds, counter = new WindowCounter(seconds * 1_000));
      return Promise.resolve(counter.count(caller));
    },
  };
}

/** The window of one caller. */
interface Window {
  requests: number;
  end: number;
}

/**
 * Counts in windows of one length. A window starts with a caller's first request.
 *
 * It keeps two generations of windows and drops the older one at once, so no request scans all callers. It uses no
 * timers, because on some platforms they end with the request that set them.
 */
export class WindowCounter {
  readonly #ms: number;
  #newer = new Map<string, Window>();
  #older = new Map<string, Window>();
  #turn = 0;

  /** @param ms the length of a window in milliseconds */
  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Takes back one request that was counted. */
  takeBack(caller: string): void {
    const window = this.#newer.get(caller) ?? this.#older.get(caller);
    if (window && window.requests > 0) window.requests -= 1;
  }

  /** Counts one request of a caller. */
  count(caller: string): RateCount {
    // A monotonic clock.
    const now = performance.now();
    if (now >= this.#turn) this.#dropOlder(now);
    let window = this.#newer.get(caller) ?? this.#older.get(caller);
    if (!window || window.end <= now) {
      window = { requests: 0, end: now + this.#ms };
      this.#newer.set(copyText(caller), window);
    }
    window.requests += 1;
    return { requests: window.requests, msLeft: window.end - now };
  }

  /** Drops the older generation, whose windows have all expired. */
  #dropOlder(now: number): void {
    this.#older = this.#newer;
    this.#newer = new Map();
    this.#turn = now + this.#ms;
  }
}
