/**
 * Connections to targets, kept for a while after their exchange: pinned to the addresses that were judged.
 * @module
 */

import type { Buffer } from "node:buffer";
import { connect as connectPlain, type Socket } from "node:net";
import { clearInterval, setInterval } from "node:timers";
import { connect as connectSecure } from "node:tls";
import type { Outgoing, Patience, Upstream } from "../index.ts";
import { type ConnectionOptions, connectionOptions } from "./connection.ts";
import { Exchange, type ExchangeEvents } from "./http-exchange.ts";

/** How often those that have waited too long are looked for, in milliseconds. */
const SWEEP_MS = 1_000;

/** The pool of one sender. */
export class HttpPool {
  /** By target and judged addresses, so that a later verdict holds for reused connections; the newest is last. */
  readonly #idle = new Map<string, Connection[]>();
  readonly #patience: Patience;
  #sweeper: NodeJS.Timeout | undefined;

  /** @param patience for bodies that are handed on whole rather than as they come */
  constructor(patience: Patience) {
    this.#patience = patience;
  }

  /** Sends a request on a connection that waits, else on a new one, and settles with the head of the answer. */
  send(outgoing: Outgoing, finish = unchanged): Promise<Upstream> {
    const { signal, origin, addresses } = outgoing;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const options = connectionOptions(origin, addresses);
      const connection = this.#take(options.pool) ??
        new Connection(options, origin.protocol === "https:", this.#patience);
      connection.run(outgoing, {
        resolve: (answer) => resolve(finish(answer)),
        reject,
        onOver: (idleMs) => this.#put(options.pool, connection, idleMs),
      });
    });
  }

  #take(key: string): Connection | undefined {
    const waiting = this.#idle.get(key);
    for (let found = waiting?.pop(); found; found = waiting?.pop()) {
      if (!found.isGone) return found;
    }
    return undefined;
  }

  #put(key: string, connection: Connection, idleMs: number): void {
    const sweeps = Math.floor(idleMs / SWEEP_MS);
    if (sweeps <= 0) return connection.destroy();
    const waiting = this.#idle.get(key) ?? [];
    connection.wait(sweeps);
    if (waiting.push(connection) === 1) this.#idle.set(key, waiting);
    this.#sweeper ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  #sweep(): void {
    for (const [key, waiting] of this.#idle) {
      const usable = waiting.filter((connection) => connection.waitOn());
      if (usable.length) this.#idle.set(key, usable);
      else this.#idle.delete(key);
    }
    if (this.#idle.size) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }
}

function unchanged(answer: Upstream): Upstream {
  return answer;
}

/** A connection and the exchange that is on it. */
class Connection {
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
    socket.on("data", (bytes: Buffer) => this.#exchange ? this.#exchange.read(bytes) : this.destroy());
    socket.on("drain", () => this.#exchange?.drained());
    socket.on("error", (failure: Error) => this.#close(failure));
    socket.on("end", () => this.#close());
    socket.on("close", () => this.#close(Object.assign(new Error("closed"), { code: "ECONNRESET" })));
  }

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
