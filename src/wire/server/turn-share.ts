/**
 * The share of one connection in a turn of the event loop.
 *
 * What the proxy answers itself needs no event, so requests that have all arrived would be answered one after the other, and
 * everybody else would wait for the last of them.
 * @module
 */

import { setImmediate } from "node:timers";

/** Requests of one connection in a turn. */
const MAX_REQUESTS = 32;
/** Milliseconds of one connection in a turn. */
const MAX_MS = 5;
/** While something waits by `setImmediate`, Deno (2.9) looks at its sockets once in some 60 turns; for a timer, each time. */
const wait: (goOn: () => void) => void = "deno" in process.versions ? setTimeout : setImmediate;

/** The share of one connection. */
export class Share {
  readonly #goOn: () => void;
  #taken = 0;
  #start = 0;
  /** True until the next turn, which belongs to the others first. */
  isUsedUp = false;

  /** @param goOn called in the next turn, once `take` has said no */
  constructor(goOn: () => void) {
    this.#goOn = goOn;
  }

  /** Takes a request that has arrived with the one before; false if it has to wait. */
  take(): boolean {
    if (this.isUsedUp) return false;
    if (this.#taken === 0) this.#start = performance.now();
    else if (this.#taken >= MAX_REQUESTS || performance.now() - this.#start >= MAX_MS) {
      this.isUsedUp = true;
      wait(() => this.#begin());
      return false;
    }
    this.#taken += 1;
    return true;
  }

  #begin(): void {
    this.isUsedUp = false;
    this.#taken = 0;
    this.#goOn();
  }
}
