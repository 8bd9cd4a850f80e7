/**
 * A body as far as it is kept: its first bytes, and how many passed.
 * @module
 */

import type { BodyTap } from "../../core/http/flow-watch.ts";
import { toBinary } from "./binary.ts";
import type { CapturedBody } from "./capture.ts";
import type { KeyGuard } from "./key-guard.ts";

/** Asks for memory; false if there is none. */
export type Reserve = (bytes: number) => boolean;

/** Keeps the first bytes of one body. They are copied, because a part of a chunk would keep all of its memory. */
export class KeptBody implements BodyTap {
  readonly #limit: number;
  readonly #reserve: Reserve;
  readonly #onOver: (() => void) | undefined;
  #chunks: Uint8Array[] = [];
  #kept = 0;
  #size = 0;
  #isOver = false;
  #withheld: string | undefined;

  /**
   * @param limit the most bytes to keep
   * @param withheld why none may be kept
   * @param onOver called once when the body is over
   */
  constructor(limit: number, reserve: Reserve, withheld?: string, onOver?: () => void) {
    this.#limit = withheld === undefined ? limit : 0;
    this.#reserve = reserve;
    this.#withheld = withheld;
    this.#onOver = onOver;
  }

  onBytes(chunk: Uint8Array): void {
    this.#size += chunk.length;
    const room = this.#limit - this.#kept;
    if (room <= 0 || this.#withheld !== undefined) return;
    const kept = Math.min(room, chunk.length);
    if (!this.#reserve(kept)) {
      this.#withheld = "its memory is used up";
      return;
    }
    // `slice` of a `Buffer` copies nothing.
    this.#chunks.push(new Uint8Array(chunk.subarray(0, kept)));
    this.#kept += kept;
  }

  onEnd(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onOver?.();
  }

  /** Drops the bytes. */
  drop(): void {
    this.#chunks = [];
    this.#withheld ??= "dropped";
  }

  /** What is kept, one character for each byte, without keys of the table. */
  readText(guard: KeyGuard | undefined): string {
    const isCut = this.#kept < this.#size || !this.#isOver;
    const text = toBinary(this.#chunks);
    return guard ? guard.cleanBody(text, isCut) : text;
  }

  /** The body as it is now. */
  read(guard: KeyGuard | undefined): CapturedBody {
    const text = this.readText(guard);
    // A key that was replaced does not make it look cut.
    const size = this.#size - countBytes(this.#chunks) + text.length;
    const body: CapturedBody = { base64: btoa(text), size, isOver: this.#isOver };
    if (this.#withheld !== undefined) body.withheld = this.#withheld;
    return body;
  }
}

function countBytes(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}
