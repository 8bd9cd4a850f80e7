/**
 * One body while it arrives: its bytes without codings, and their text. What was read is not read again.
 * @module
 */

import { createDecoder } from "./body-kind.ts";
import type { BodyTimes, Content } from "./view.ts";

/** When a body arrived, as far as that is known. */
interface Seen {
  /** Its newest part, in Unix milliseconds. */
  time?: number | undefined;
  times?: BodyTimes | undefined;
}

/** The bytes and the text of a body that may still grow. */
export class BodyState {
  readonly type: string;
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array();
  #decoder: TextDecoder;
  #text = "";
  #read = 0;
  #isEnded = false;
  #isRunning = true;
  #isWhole = false;
  #seen: Seen = {};

  constructor(type: string) {
    this.type = type;
    this.#decoder = createDecoder(type);
  }

  /** True if `bytes` begin with what is here, so that they are more of the same body. */
  isContinuedBy(bytes: Uint8Array): boolean {
    const before = this.bytes;
    if (this.#isEnded && bytes.length > before.length) return false;
    if (bytes.length < before.length) return false;
    if (bytes.buffer === before.buffer && bytes.byteOffset === before.byteOffset) return true;
    for (let index = 0; index < before.length; index += 1) {
      if (before[index] !== bytes[index]) return false;
    }
    return true;
  }

  update(bytes: Uint8Array<ArrayBuffer>, isRunning: boolean, isWhole: boolean, seen: Seen = {}): void {
    this.bytes = bytes;
    this.#isRunning = isRunning;
    this.#isWhole = isWhole;
    this.#seen = seen;
  }

  /** The text so far. A character that is not complete yet comes with its last byte. */
  readText(): string {
    if (!this.#isEnded) {
      this.#text += this.#decoder.decode(this.bytes.subarray(this.#read), { stream: this.#isRunning });
      this.#read = this.bytes.length;
      this.#isEnded = !this.#isRunning;
    }
    return this.#text;
  }

  get content(): Content {
    const { time, times } = this.#seen;
    return {
      bytes: this.bytes,
      type: this.type,
      readText: () => this.readText(),
      isRunning: this.#isRunning,
      isWhole: this.#isWhole,
      ...(time !== undefined && { time }),
      ...(times && { times }),
    };
  }
}
