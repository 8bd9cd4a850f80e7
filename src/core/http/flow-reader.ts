/**
 * The reader of a body, and the body that it reads: types only.
 * @module
 */

/** Reads a body, chunk by chunk. */
export interface FlowReader {
  /** Takes a chunk. False means: no more until it calls `want`. */
  take(chunk: Uint8Array, isLast: boolean): boolean;
  /** The body is complete, or cut by `failure`. */
  end(failure: Error | undefined): void;
  /** Bytes that the reader has accepted but not passed on yet, if known. */
  readonly unsent?: number | undefined;
}

/** A body, as its reader sees it. */
export interface Flow {
  /** Passes on the buffered chunks, then each chunk as it arrives. */
  attach(reader: FlowReader): void;
  /** The reader wants more. */
  want(): void;
  /** The reader gives up. */
  cancel(reason?: unknown): void;
}
