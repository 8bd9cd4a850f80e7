/**
 * What reads a body, and what it reads from: types only.
 * @module
 */

/** Reads a body, chunk by chunk. */
export interface FlowReader {
  /** Takes a chunk; false where it wants no more before it asks again. */
  take(chunk: Uint8Array, isLast: boolean): boolean;
  /** The body is whole, or it is cut. */
  end(failure: Error | undefined): void;
}

/** What a reader is given. */
export interface Flow {
  /** Hands over what has come already, and from then on each chunk as it comes. */
  attach(reader: FlowReader): void;
  /** The reader wants more. */
  want(): void;
  /** The reader wants no more at all. */
  cancel(reason?: unknown): void;
}
