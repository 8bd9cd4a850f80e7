/**
 * A connection to a target, and the exchange that is on it.
 * @module
 */

import type { Buffer } from "node:buffer";
import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectSecure } from "node:tls";
import type { Outgoing, Patience } from "../index.ts";
import type { ConnectionOptions } from "./connection.ts";
import { Exchange, type ExchangeEvents } from "./http-exchange.ts";

/** A connection: one exchange at a time, and waiting between them. */
export class Connection {
  readonly #socket: Socket;
  readonly #patience: Patience;
  #exchange: Exchange | undefined;
  #isOpen = false;
  /** Nothing can be sent on it any more. */
  isGone = false;
  #sweepsLeft = 0;

  constructor(options: ConnectionOptions, isSecure: boolean, patience: Patience) {
    this.#patience = patience;
    const socket = isSecure
      ? connectSecure({ ...options, ALPNProtocols: ["http/1.1"] })
      : connectPlain(options);
    this.#socket = socket;
    socket.setNoDelay(true);
    // A certificate has been checked by then, and not a byte has left.
    socket.once(isSecure ? "secureConnect" : "connect", () => {
      this.#isOpen = true;
      this.#exchange?.start();
    });
    socket.on("data", this.#read);
    socket.on("drain", () => this.#exchange?.drained());
    socket.on("error", (failure: Error) => this.#close(failure));
    socket.on("end", () => this.#close());
    socket.on("close", () => this.#close(Object.assign(new Error("closed"), { code: "ECONNRESET" })));
  }

  readonly #read = (bytes: Buffer): void => this.#exchange ? this.#exchange.read(bytes) : this.destroy();

  /** Sends a request, at once or when the connection is made. */
  run(outgoing: Outgoing, events: ExchangeEvents): void {
    const exchange = new Exchange(outgoing, this.#socket, this.#patience, events);
    this.#exchange = exchange;
    const { signal } = outgoing;
    signal.addEventListener("abort", () => exchange.fail(signal.reason), { once: true });
    if (!this.#isOpen) return;
    this.#socket.ref();
    exchange.start();
  }

  /** Waits for another exchange: not as long as that many sweeps, but longer than one less. */
  wait(sweeps: number): void {
    this.#exchange = undefined;
    this.#sweepsLeft = sweeps;
    this.#socket.resume();
    // Nobody's process stays for a connection that may be needed again.
    this.#socket.unref();
  }

  /** A sweep: true where it may wait on. */
  waitOn(): boolean {
    this.#sweepsLeft -= 1;
    if (this.#sweepsLeft <= 0) this.destroy();
    return !this.isGone;
  }

  /** Gives the socket away, paused: what comes is no longer read here. */
  release(): Socket {
    this.isGone = true;
    this.#exchange = undefined;
    return this.#socket.off("data", this.#read).pause();
  }

  destroy(): void {
    this.isGone = true;
    this.#exchange = undefined;
    this.#socket.destroy();
  }

  #close(failure?: Error): void {
    const exchange = this.#exchange;
    this.isGone = true;
    exchange?.closed(failure);
  }
}
