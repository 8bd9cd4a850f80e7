/**
 * The end of the event loop's turn, where the work of all requests goes on together.
 *
 * A turn reads many connections. If each request went all its way as soon as it was read, its code would push that of
 * reading out of the processor's caches, and each write would wake the other side anew. Together they take a quarter to
 * half less.
 * @module
 */

import { setImmediate } from "node:timers";

let end: Promise<void> | undefined;

/** Settles when every connection that has bytes in this turn has been read. */
export function untilTurnEnd(): Promise<void> {
  return end ??= new Promise((resolve) =>
    setImmediate(() => {
      end = undefined;
      resolve();
    })
  );
}
