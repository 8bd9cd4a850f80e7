/**
 * Buffers a short body until it is complete.
 * @module
 */

import { concat } from "./concat.ts";
import { type FlowQueue, QUEUED_BYTES } from "./flow-queue.ts";

/** When to buffer a body instead of streaming it. */
export interface Patience {
  /** Maximum size of a body to wait for. */
  maxBytes: number;
  /** Longer bodies stay in chunks when complete: concatenating costs more than passing them on one by one. */
  joinedBytes: number;
  /** Starts the timeout; it can be stopped. */
  wait(expire: () => void): { stop(): void };
}

/**
 * Called once: with the whole body, with `undefined` if it must be read as a stream, or with the failure that cut it.
 */
export type Gathered = (whole?: Uint8Array<ArrayBuffer>, failure?: Error) => void;

/** Waits until the body is complete, or the patience ends. */
export function gather(queue: FlowQueue, { maxBytes, joinedBytes, wait }: Patience, done: Gathered): void {
  queue.maxBytes = maxBytes;
  const finish = () => {
    patience.stop();
    queue.maxBytes = QUEUED_BYTES;
    queue.onChange = undefined;
    const { isEnded, failure, bytes, chunks } = queue;
    const isJoined = isEnded && !failure && (bytes <= joinedBytes || chunks.length === 1);
    done(isJoined ? concat(chunks, bytes) : undefined, failure);
  };
  const patience = wait(finish);
  queue.onChange = () => {
    if (queue.isEnded) finish();
  };
}
