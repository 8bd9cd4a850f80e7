/**
 * Joins the short chunks that a body has in one read. On its way each piece costs as much as a long one, and all others would
 * wait for a caller or a target that sends one byte in each.
 * @module
 */

import { Buffer } from "node:buffer";
import { Block } from "./block.ts";

/** Longer pieces go on by themselves. */
const JOINED_BYTES = 4_096;

/** The chunks of one read. */
export class JoinedChunks {
  readonly #push: (bytes: Uint8Array) => void;
  /** The first short one; most reads bring no other. */
  #first: Uint8Array | undefined;
  #block: Block | undefined;

  /** @param push takes the pieces */
  constructor(push: (bytes: Uint8Array) => void) {
    this.#push = push;
  }

  add(chunk: Uint8Array): void {
    if (chunk.length > JOINED_BYTES) {
      this.flush();
      this.#push(chunk);
    } else if (!this.#first) this.#first = chunk;
    else {
      if (!this.#block) this.#addToBlock(this.#first);
      this.#addToBlock(chunk);
    }
  }

  /** Passes on what has been joined so far. */
  flush(): void {
    const bytes = this.#block?.bytes ?? this.#first;
    this.#block = undefined;
    this.#first = undefined;
    if (bytes) this.#push(bytes);
  }

  #addToBlock(chunk: Uint8Array): void {
    this.#block ??= new Block();
    this.#block.add(chunk as Buffer, 0, chunk.length, 0);
  }
}
