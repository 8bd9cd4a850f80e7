/**
 * Limits how many requests are processed at a time on Deno (2.9), so that no caller starves.
 *
 * Between two polls of its sockets, Deno completes at most 128 reads: tokio's cooperative budget. It retries the rest after
 * everything that has become ready meanwhile, newest first. If a few hundred callers are busy, new reads use up the budget
 * each time, and the oldest wait for seconds. So only a few requests are admitted at a time, in order. Then fewer reads
 * become ready than the budget allows, and none is left behind.
 * @module
 */

import { setTimeout } from "node:timers";

/**
 * Maximum requests at a time. Each leads to two reads and two writes, to the target and to the caller: 128 in all. With 48 the
 * oldest wait again and again: 64 µs of CPU and 57 to 117 ms (p99) where 512 callers cost 55 and 50 with 32.
 */
const AT_ONCE = 32;
/** After this many milliseconds, requests to slow targets no longer count, so that they delay no others. */
const SLOW_MS = 2;

/** Callbacks of the waiting connections, the oldest first. */
const waiting: (() => void)[] = [];
/** Admitted requests without a response so far, except those of slow targets. */
let current = 0;
/** Increases when slow targets stop counting. */
let period = 1;
let isTimed = false;

/** The admission of one connection's requests. */
export class Admission {
  /** The period in which the request was admitted; 0 if none is. */
  #period = 0;

  /** Admits a request: at once, returning `undefined`, or when the returned promise settles. */
  enter(): Promise<void> | undefined {
    if (this.#period > 0) return undefined;
    if (current < AT_ONCE) {
      this.#count();
      return undefined;
    }
    if (!isTimed) wake();
    return new Promise((resolve) =>
      waiting.push(() => {
        this.#count();
        resolve();
      })
    );
  }

  /** The request has been answered, or the connection is over. */
  leave(): void {
    if (this.#period === 0) return;
    if (this.#period === period) current -= 1;
    this.#period = 0;
    if (waiting.length > 0) admit();
  }

  #count(): void {
    current += 1;
    this.#period = period;
  }
}

function admit(): void {
  for (const goOn of waiting.splice(0, AT_ONCE - current)) goOn();
}

/** Admits the next requests after `SLOW_MS`, whether or not the current ones have been answered. */
function wake(): void {
  isTimed = true;
  setTimeout(() => {
    isTimed = false;
    period += 1;
    current = 0;
    admit();
    if (waiting.length > 0) wake();
  }, SLOW_MS);
}
