/**
 * One body while it arrives: its bytes without codings, and their text. What was read is not read again.
 * @module
 */

import { createDecoder } from "./body-kind.ts";
import type { Content } from "./view.ts";

/** What is known of a body beside its bytes. */
type Known = Pick<Content, "isRunning" | "isWhole" | "time" | "times">;

/** The bytes and the text of a body that may still grow. */
export class BodyState {
  readonly type: string;
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array();
  #decoder: TextDecoder;
  #text = "";
  #read = 0;
  #isEnded = false;
  #known: Known = { isRunning: true, isWhole: false };

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

  update(bytes: Uint8Array<ArrayBuffer>, known: Known): void {
    this.bytes = bytes;
    this.#known = known;
  }

  /** The text so far. A character that is not complete yet comes with its last byte. */
  readText(): string {
    if (!this.#isEnded) {
      this.#text += this.#decoder.decode(this.bytes.subarray(this.#read), { stream: this.#known.isRunning });
      this.#read = this.bytes.length;
      this.#isEnded = !this.#known.isRunning;
    }
    return this.#text;
  }

  get content(): Content {
    return { bytes: this.bytes, type: this.type, readText: () => this.readText(), ...this.#known };
  }
}
