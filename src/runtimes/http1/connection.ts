/**
 * A connection to a target, and the exchange that is on it.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Outgoing } from "../../exchange/runtime.ts";
import type { Patience } from "../../http/flow.ts";
import type { ConnectionOptions } from "./address.ts";
import { Exchange, type ExchangeEvents } from "./round-trip.ts";
import type { Connect, Wire, WireWatch } from "./wire.ts";

/** A connection: one exchange at a time, and waiting between them. */
export class Connection<W extends Wire = Wire> implements WireWatch {
  readonly #wire: W;
  readonly #patience: Patience;
  #exchange: Exchange | undefined;
  #isOpen = false;
  /** Nothing can be sent on it any more. */
  isGone = false;
  #sweepsLeft = 0;

  constructor(options: ConnectionOptions, isSecure: boolean, patience: Patience, connect: Connect<W>) {
    this.#patience = patience;
    this.#wire = connect(options, isSecure, this);
  }

  onOpen(): void {
    this.#isOpen = true;
    this.#exchange?.start();
  }

  onBytes(bytes: Buffer): void {
    if (this.#exchange) this.#exchange.read(bytes);
    else this.destroy();
  }

  onDrain(): void {
    this.#exchange?.drained();
  }

  onClose(failure?: Error): void {
    const exchange = this.#exchange;
    this.isGone = true;
    exchange?.closed(failure);
  }

  /** Sends a request, at once or when the connection is made. */
  run(outgoing: Outgoing, events: ExchangeEvents): void {
    const exchange = new Exchange(outgoing, this.#wire, this.#patience, events);
    this.#exchange = exchange;
    const { signal } = outgoing;
    signal.addEventListener("abort", () => exchange.fail(signal.reason), { once: true });
    if (!this.#isOpen) return;
    this.#wire.ref();
    exchange.start();
  }

  /** Waits for another exchange: not as long as that many sweeps, but longer than one less. */
  wait(sweeps: number): void {
    this.#exchange = undefined;
    this.#sweepsLeft = sweeps;
    this.#wire.resume();
    // Nobody's process stays for a connection that may be needed again.
    this.#wire.unref();
  }

  /** A sweep: true where it may wait on. */
  waitOn(): boolean {
    this.#sweepsLeft -= 1;
    if (this.#sweepsLeft <= 0) this.destroy();
    return !this.isGone;
  }

  /** Gives the connection away: who has it now hears of it by other means. */
  release(): W {
    this.isGone = true;
    this.#exchange = undefined;
    return this.#wire;
  }

  destroy(): void {
    this.isGone = true;
    this.#exchange = undefined;
    this.#wire.destroy();
  }
}
