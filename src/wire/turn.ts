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

let waiting: TurnWatch[] = [];
let end: Promise<void> | undefined;

/** Notifies a watch once every connection that has bytes in this turn has been read, in the order of the calls. */
export function atTurnEnd(one: TurnWatch): void {
  if (waiting.push(one) === 1) setImmediate(goOn);
}

function goOn(): void {
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
