/**
 * The bytes that a connection has not sent yet.
 * @module
 */

import { Buffer } from "node:buffer";

/** Chunks are joined up to this many bytes, so that they are sent with one system call. */
const JOINED_BYTES = 16_384;

/** Chunks in the order they were written. */
export class SendQueue {
  #chunks: Uint8Array[] = [];
  /** Unsent bytes, including those that were taken. */
  bytes = 0;
  /** Bytes that were sent. */
  sentBytes = 0;

  /** True if no chunk waits; taken bytes may still be unsent. */
  get isEmpty(): boolean {
    return this.#chunks.length === 0;
  }

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.bytes += chunk.length;
  }

  /** Takes the next bytes to send: one large chunk, or several small ones joined. */
  take(): Uint8Array {
    const chunks = this.#chunks;
    let bytes = 0;
    let count = 0;
    for (const { length } of chunks) {
      if (count > 0 && bytes + length > JOINED_BYTES) break;
      bytes += length;
      count += 1;
    }
    if (count === chunks.length) this.#chunks = [];
    const taken = count === chunks.length ? chunks : chunks.splice(0, count);
    return taken.length === 1 ? taken[0]! : Buffer.concat(taken, bytes);
  }

  /** This many of the taken bytes have been sent. */
  sent(bytes: number): void {
    this.bytes -= bytes;
    this.sentBytes += bytes;
  }

  clear(): void {
    this.#chunks = [];
    this.bytes = 0;
  }
}
