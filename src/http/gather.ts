/**
 * Keeps a short body in memory until it is whole.
 * @module
 */

import { concat } from "./concat.ts";
import { type FlowQueue, QUEUED_BYTES } from "./flow-queue.ts";

/** For what body, and for how long, it is worth while to wait until it is whole. */
export interface Patience {
  /** Longer bodies are not waited for. */
  maxBytes: number;
  /** Longer ones stay in pieces when they are whole: to join them costs more than to hand them on one by one. */
  joinedBytes: number;
  /** Calls back when it is over, unless it is stopped. */
  wait(expire: () => void): { stop(): void };
}

/** Called once: with the whole body, with `undefined` when it is read on as usual, or with what cut it. */
export type Gathered = (whole?: Uint8Array<ArrayBuffer>, failure?: Error) => void;

/** Waits until the body is whole, or the patience is over. */
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
