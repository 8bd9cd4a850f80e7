/**
 * Looks at the first bytes of a body, which stay for whoever reads it.
 * @module
 */

import type { FlowQueue } from "./flow-queue.ts";

/** Where more chunks come from. */
interface Source {
  resume(): void;
  pause(): void;
}

/**
 * Waits for the first bytes.
 *
 * @returns `undefined` where there are none; rejects with what cuts the body before them
 */
export function peek(queue: FlowQueue, source: Source): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    let hasSeen = false;
    const look = () => {
      const { chunks: [first], isEnded, failure } = queue;
      if (!first && !isEnded) return;
      hasSeen = true;
      queue.onChange = undefined;
      if (!isEnded) source.pause();
      if (first || !failure) resolve(first);
      else reject(failure);
    };
    queue.onChange = look;
    look();
    if (!hasSeen) source.resume();
  });
}
