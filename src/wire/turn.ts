/**
 * Turns of the event loop: their end, at which all requests continue together, and the share of one connection in them.
 *
 * One turn reads many connections. If each request were processed as soon as it was read, its code would evict the reading
 * code from the processor's caches, and each write would wake the peer separately. Batching saves a quarter to half of
 * the time.
 * @module
 */

import { setImmediate } from "node:timers";
import { traits } from "./runtime-traits.ts";

/** Called at the end of a turn. It must not throw. */
export interface TurnWatch {
  onTurnEnd(): void;
}

/** Maximum milliseconds that new connections may put the end off: callers that are connected wait meanwhile. */
const MOST_PUT_OFF_MS = 10;
/** Maximum requests of one connection per turn. */
const MAX_REQUESTS = 32;
/** Maximum milliseconds for one connection per turn. */
const MAX_MS = 5;

let waiting: TurnWatch[] = [];
let end: Promise<void> | undefined;
/** True if a connection was accepted in this turn, so that more of them may wait. */
let isPutOff = false;
/** When the end was first put off; `undefined` if it was not. */
let putOffSince: number | undefined;

/** Notifies a watch once every connection that has bytes in this turn has been read, in the order of the calls. */
export function atTurnEnd(one: TurnWatch): void {
  if (waiting.push(one) === 1) setImmediate(goOn);
}

/**
 * Puts the end off by a turn, for a connection that was just accepted. Node accepts one connection in each turn (since libuv
 * 1.45, pull request 3696): where hundreds of them come at once and each turn does the work of all before it, the last one
 * would wait for seconds.
 */
export function putOffTurnEnd(): void {
  isPutOff = true;
}

function goOn(): void {
  if (isPutOff) {
    isPutOff = false;
    const now = performance.now();
    putOffSince ??= now;
    if (now - putOffSince < MOST_PUT_OFF_MS) return void setImmediate(goOn);
  }
  putOffSince = undefined;
  const all = waiting;
  waiting = [];
  for (const one of all) one.onTurnEnd();
}

/** Settles at the end of the turn. */
export function untilTurnEnd(): Promise<void> {
  return end ??= new Promise((resolve) =>
    atTurnEnd({
      onTurnEnd() {
        end = undefined;
        resolve();
      },
    })
  );
}

/**
 * The share of one connection in a turn. Requests that the proxy answers itself need no event: without a limit, pipelined
 * ones would all be answered in a single turn, and the other connections would wait for the last of them.
 */
export class TurnShare {
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
