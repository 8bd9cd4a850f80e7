/**
 * How many requests are taken up at once on Deno (2.9), so that each caller gets its turn.
 *
 * Between two looks at its sockets Deno completes at most 128 reads: tokio's cooperative budget. Those beyond are tried again
 * behind everything that has become ready meanwhile, the newest first. If some hundred callers are busy, new reads use up
 * the budget each time, and the oldest wait for seconds. So a few requests at once are taken up, in order. Then fewer reads
 * become ready than the budget allows, and none is left behind.
 * @module
 */

import { setTimeout } from "node:timers";

/** Requests at once. Each makes two reads ready, of the target and then of the caller: together below 128. */
const AT_ONCE = 48;
/** A target that takes longer, in milliseconds, holds up nobody else. */
const SLOW_MS = 1;

/** Those who wait, the oldest first. */
const waiting: (() => void)[] = [];
/** Requests that were taken up and not answered yet; those of a slow target no longer count. */
let current = 0;
/** Increases when slow targets stop counting. */
let period = 1;
let isTimed = false;

/** The place of one connection among those that are taken up. */
export class Admission {
  /** The period in which it was taken up; 0 if it is not. */
  #period = 0;

  /** Takes the connection up: at once, with nothing returned, or when what is returned settles. */
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

  /** It is answered, or over. */
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

/** Lets the next ones in after a while, whatever those before them are doing. */
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
