/**
 * The end of the event loop's turn, where the work of all requests goes on together.
 *
 * A turn reads many connections. If each request went all its way as soon as it was read, its code would push that of
 * reading out of the processor's caches, and each write would wake the other side anew. Together they take a quarter to
 * half less.
 * @module
 */

import { setImmediate } from "node:timers";

/** What goes on at the end of a turn. It must not throw. */
export interface TurnWatch {
  onTurnEnd(): void;
}

let waiting: TurnWatch[] = [];
let end: Promise<void> | undefined;

/** Goes on when every connection that has bytes in this turn has been read, in the order of the calls. */
export function atTurnEnd(one: TurnWatch): void {
  if (waiting.push(one) === 1) setImmediate(goOn);
}

function goOn(): void {
  const all = waiting;
  waiting = [];
  for (const one of all) one.onTurnEnd();
}

/** Settles then. */
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
