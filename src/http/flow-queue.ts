/**
 * What has come of a body before anybody reads it.
 * @module
 */

/** So many bytes are kept for a reader that isn't there yet; then the source is paused. */
export const QUEUED_BYTES = 65_536;

/** The chunks that wait for a reader, and the end of the body where that has come. */
export class FlowQueue {
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  /** From so many bytes on, nothing more is wanted. */
  maxBytes: number = QUEUED_BYTES;
  /** Nothing more comes in. */
  isEnded = false;
  /** What cut the body; absent in one that is whole. */
  failure: Error | undefined;
  /** Called when a chunk is kept, and at the end. */
  onChange: (() => void) | undefined;

  get chunks(): readonly Uint8Array[] {
    return this.#chunks;
  }

  /** Bytes that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  get isFull(): boolean {
    return this.#bytes >= this.maxBytes;
  }

  /** Keeps a chunk. */
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

  /** Gives the chunks to a reader; none is left. */
  take(): readonly Uint8Array[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#bytes = 0;
    return chunks;
  }
}
