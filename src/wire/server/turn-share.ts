/**
 * The share of one connection in a turn of the event loop.
 *
 * Requests that the proxy answers itself need no event. Without a limit, pipelined requests of one connection would be
 * answered in a single turn, and all other connections would wait for the last of them.
 * @module
 */

import { setImmediate } from "node:timers";
import { traits } from "../runtime-traits.ts";

/** Maximum requests of one connection per turn. */
const MAX_REQUESTS = 32;
/** Maximum milliseconds for one connection per turn. */
const MAX_MS = 5;

/** The share of one connection. */
export class Share {
  readonly #goOn: () => void;
  #taken = 0;
  #start = 0;
  /** True until the next turn, in which other connections go first. */
  isUsedUp = false;

  /** @param goOn called in the next turn after `take` has returned false */
  constructor(goOn: () => void) {
    this.#goOn = goOn;
  }

  /** Counts a request that arrived together with the one before; false if it must wait for the next turn. */
  take(): boolean {
    if (this.isUsedUp) return false;
    if (this.#taken === 0) this.#start = performance.now();
    else if (this.#taken >= MAX_REQUESTS || performance.now() - this.#start >= MAX_MS) {
      this.isUsedUp = true;
      const wait: (goOn: () => void) => void = traits.starvesSockets ? setTimeout : setImmediate;
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
