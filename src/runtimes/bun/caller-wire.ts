/**
 * A caller's connection, accepted by `Bun.listen` (1.4).
 * @module
 */

import type { CallerWire, WireWatch } from "../../wire/contract.ts";
import { type BunSocket, BunWire } from "./bun-wire.ts";

/** A wire that can be finished and cut. */
export class BunCallerWire extends BunWire implements CallerWire {
  #socket!: BunSocket;
  readonly #isSecure: boolean;
  #isFinishing: "sending" | "whole" | undefined;
  #hasEnded = false;

  constructor(watch: WireWatch, isSecure: boolean) {
    super(watch);
    this.#isSecure = isSecure;
  }

  override adopt(socket: BunSocket): void {
    this.#socket = socket;
    super.adopt(socket);
  }

  get takenBytes(): number {
    return this.#socket.bytesWritten;
  }

  finish(isWhole: boolean): void {
    this.#isFinishing = isWhole ? "whole" : "sending";
    if (this.writableLength === 0) this.#finish();
  }

  cut(): void {
    this.#socket.terminate();
    this.destroy();
  }

  /** With TLS, a connection with unsent bytes would stay open until the peer takes them and TLS's end marker. */
  override destroy(): void {
    if (this.#isSecure && this.writableLength > 0) this.#socket.terminate();
    super.destroy();
  }

  /** The caller has closed its side. */
  ended(): void {
    this.#hasEnded = true;
    this.watch.onClose(this.failure);
    if (this.#isFinishing && this.writableLength === 0) this.#finish();
  }

  override drained(): void {
    super.drained();
    if (this.#isFinishing && this.writableLength === 0) this.#finish();
  }

  #finish(): void {
    if (this.#isFinishing === "whole" || this.#hasEnded) this.destroy();
    else this.#socket.shutdown();
  }
}
