/**
 * A caller's connection for tests: it notes what it is told, and sends what it is given when the test says so.
 * @module
 */
import type { CallerWire } from "../../src/wire/contract.ts";

/** A wire that leads nowhere. Bytes are noted as Latin-1. */
export class NotedWire implements CallerWire {
  /** What was written; what was corked together is one piece. */
  readonly pieces: string[] = [];
  /** True to keep what is written as not sent, and to ask for a wait. */
  keeps = false;
  writableLength = 0;
  isPaused = true;
  /** What `finish` was told, each time. */
  readonly finished: boolean[] = [];
  isCut = false;
  isDestroyed = false;
  #corks = 0;
  #hasPiece = false;

  get takenBytes(): number {
    return this.written.length - this.writableLength;
  }

  get written(): string {
    return this.pieces.join("");
  }

  /** True while what is written may wait. */
  get hasCork(): boolean {
    return this.#corks > 0;
  }

  write(bytes: Uint8Array | string): boolean {
    const text = typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("latin1");
    if (this.#hasPiece) this.pieces.push(`${this.pieces.pop()}${text}`);
    else this.pieces.push(text);
    this.#hasPiece = this.#corks > 0;
    if (this.keeps) this.writableLength += text.length;
    return !this.keeps;
  }

  cork(): void {
    this.#corks += 1;
  }

  uncork(): void {
    this.#corks -= 1;
    this.#hasPiece &&= this.#corks > 0;
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  ref(): void {}

  unref(): void {}

  finish(isWhole: boolean): void {
    this.finished.push(isWhole);
  }

  cut(): void {
    this.isCut = true;
  }

  destroy(): void {
    this.isDestroyed = true;
  }
}
