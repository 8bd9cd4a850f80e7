/**
 * Undoes the compression of WebSocket messages (permessage-deflate), one direction at a time.
 * @module
 * @see RFC 7692 §7.2.2
 */

import { concat } from "../../../../http/concat.ts";

/** Ends each message; senders leave it out. */
const TAIL = Uint8Array.of(0, 0, 255, 255);
/** A message of a few bytes may become gigabytes. */
const MAX_BYTES = 4_194_304;
/** Once the bytes of a message are taken, the decompressor says all that it holds within this time, in milliseconds. */
const QUIET_MS = 5;
const LATE_MS = 200;
/**
 * The messages of one direction, in order. Those after a message that cannot be undone are lost too, because they may refer
 * to it (context takeover).
 */
export class Inflater {
  readonly #writer: WritableStreamDefaultWriter<BufferSource>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  /** The read that still waits for bytes. */
  #read: Promise<Uint8Array | undefined> | undefined;
  #isBroken = false;

  constructor() {
    const { readable, writable } = new DecompressionStream("deflate-raw");
    this.#writer = writable.getWriter();
    this.#reader = readable.getReader();
  }

  /** Undoes the next message; `undefined` if that is not possible. */
  async inflate(payload: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    // All that a message holds is there once its bytes and the flush behind them are taken.
    let rest: Promise<undefined> = this.#isBroken ? Promise.resolve(undefined) : this.#write(payload);
    let isTaken = false;
    while (!this.#isBroken) {
      const chunk = await Promise.race([this.#next(), rest]);
      if (chunk === undefined && isTaken) return concat(chunks, size);
      if (chunk === undefined) isTaken = true;
      else {
        chunks.push(chunk);
        size += chunk.length;
      }
      if (size > MAX_BYTES) this.close();
      // Nothing of something is a failure that is yet to be told.
      const patience = size === 0 && payload.length > 2 ? LATE_MS : QUIET_MS;
      if (isTaken) rest = new Promise((resolve) => setTimeout(resolve, patience, undefined));
    }
    return undefined;
  }

  /** Gives up what is held. */
  close(): void {
    this.#isBroken = true;
    this.#writer.abort().catch(() => {});
    this.#reader.cancel().catch(() => {});
  }

  async #write(payload: Uint8Array<ArrayBuffer>): Promise<undefined> {
    try {
      await Promise.all([this.#writer.write(payload), this.#writer.write(TAIL)]);
    } catch {
      this.#isBroken = true;
    }
  }

  async #next(): Promise<Uint8Array | undefined> {
    this.#read ??= this.#readOn();
    const chunk = await this.#read;
    this.#read = undefined;
    return chunk;
  }

  async #readOn(): Promise<Uint8Array | undefined> {
    try {
      const { done, value } = await this.#reader.read();
      if (done) this.#isBroken = true;
      return value;
    } catch {
      this.#isBroken = true;
      return undefined;
    }
  }
}
