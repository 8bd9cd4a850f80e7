/**
 * Chunks of a body that arrive before it is read, and a short body that is buffered until it is complete.
 * @module
 */

import { concat } from "./concat.ts";

/** Bytes to buffer before there is a reader; then the source is paused. */
export const QUEUED_BYTES = 65_536;

/** The buffered chunks, and whether the body has ended. */
export class FlowQueue {
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  /** From this number of bytes on the queue is full. */
  maxBytes: number = QUEUED_BYTES;
  /** True if no more chunks come. */
  isEnded = false;
  /** Why the body was cut; absent if it is complete. */
  failure: Error | undefined;
  /** Called when a chunk is added, and at the end. */
  onChange: (() => void) | undefined;

  get chunks(): readonly Uint8Array[] {
    return this.#chunks;
  }

  /** Buffered bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  get isFull(): boolean {
    return this.#bytes >= this.maxBytes;
  }

  /** Adds a chunk. */
  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    this.onChange?.();
  }

  /** Notes the end. */
  end(failure?: Error): void {
    this.isEnded = true;
    this.failure = failure;
    this.onChange?.();
  }

  /** Removes and returns all chunks. */
  take(): readonly Uint8Array[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#bytes = 0;
    return chunks;
  }
}

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
