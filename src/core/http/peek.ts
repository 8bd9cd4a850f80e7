/**
 * Reads the first bytes of a body, and leaves them for its reader.
 * @module
 */

import type { FlowQueue } from "./flow-queue.ts";

/** The source of more chunks. */
interface Source {
  resume(): void;
  pause(): void;
}

/**
 * Waits for the first bytes.
 *
 * @returns `undefined` if there are none; rejects if the body is cut before them
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
