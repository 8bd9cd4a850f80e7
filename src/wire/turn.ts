/**
 * The end of an event loop turn, at which all requests continue together.
 *
 * One turn reads many connections. If each request were processed as soon as it was read, its code would evict the reading
 * code from the processor's caches, and each write would wake the peer separately. Batching saves a quarter to half of
 * the time.
 * @module
 */

import { setImmediate } from "node:timers";

/** Called at the end of a turn. It must not throw. */
export interface TurnWatch {
  onTurnEnd(): void;
}

/** Maximum milliseconds that new connections may put the end off: callers that are connected wait meanwhile. */
const MOST_PUT_OFF_MS = 10;

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
