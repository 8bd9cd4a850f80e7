/**
 * Undoes the compression of WebSocket messages (permessage-deflate), one direction at a time.
 *
 * `DecompressionStream` never says that a message is over, so this takes a library that answers at once.
 * @module
 * @see RFC 7692 §7.2.2
 */

import { Inflate } from "fflate";
import { concat } from "../../core/http/concat.ts";

/** Ends each message; senders leave it out. */
const TAIL = Uint8Array.of(0, 0, 255, 255);
/** A message of a few bytes may become gigabytes. */
const MAX_BYTES = 4_194_304;
/** Bytes that are taken in one go: at most a thousand times as many come out. */
const STEP = 1_024;

/**
 * The messages of one direction, in order. Those after a message that cannot be undone are lost too, because they may refer
 * to it (context takeover).
 */
export class Inflater {
  readonly #stream = new Inflate();
  #isBroken = false;

  /** Undoes the next message; `undefined` if that is not possible. */
  inflate(payload: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
    const chunks: Uint8Array[] = [];
    let size = 0;
    this.#stream.ondata = (chunk) => {
      // The buffer is used again.
      chunks.push(chunk.slice());
      size += chunk.length;
    };
    try {
      for (let at = 0; at < payload.length && !this.#isBroken; at += STEP) {
        this.#stream.push(payload.subarray(at, at + STEP));
        if (size > MAX_BYTES) this.#isBroken = true;
      }
      if (!this.#isBroken) this.#stream.push(TAIL);
    } catch {
      this.#isBroken = true;
    }
    return this.#isBroken ? undefined : concat(chunks, size);
  }

  /** A message is missing: nothing after it can be undone. */
  miss(): void {
    this.#isBroken = true;
  }
}
