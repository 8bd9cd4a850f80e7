/**
 * How long a caller's connection may wait: for a request, for the rest of its head, and for its end.
 * @module
 */

import type { Deadline, Deadlines } from "../../core/http/deadlines.ts";
import { ProxyError } from "../../core/http/error.ts";

/** Time limits for a head that has begun, for an idle connection, and for the end of one. */
export type Times = Readonly<Record<"head" | "idle" | "linger", Deadlines>>;

/** A caller who goes on writing behind the end is read for so many milliseconds: it may read only then. */
const MAX_DROP_MS = 30_000;

/** The connection that waits. */
export interface Waiting {
  /** Bytes that have not been sent. */
  countUnsent(): number;
  /** The head has not arrived in time. */
  onSlowHead(failure: ProxyError): void;
  /** Nothing goes on any more. */
  onOver(): void;
}

/** The limits of one connection. It waits for one thing at a time. */
export class ConnectionLimits {
  readonly #times: Times;
  readonly #waiting: Waiting;
  readonly #idle: Deadline;
  #head: Deadline | undefined;
  #linger: Deadline | undefined;
  #dropsUntil = 0;

  /** Waits for the first request. */
  constructor(times: Times, waiting: Waiting) {
    this.#times = times;
    this.#waiting = waiting;
    this.#idle = times.idle.start(() => this.#look());
  }

  /** Waits for the end of a TLS handshake. Nothing can be said to whoever is too slow. */
  waitForHandshake(): void {
    this.stop();
    this.#head = this.#times.head.start(() => this.#waiting.onOver());
  }

  waitForRequest(): void {
    this.stop();
    this.#idle.start();
  }

  /** Waits for the rest of a head, from its first bytes on, however it trickles. */
  waitForHead(): void {
    if (this.#head) return;
    this.stop();
    this.#head = this.#times.head.start(() => this.#waiting.onSlowHead(tooSlow()));
  }

  /** Waits for the rest of a body that nobody wants. */
  waitForBody(expire: () => void): void {
    this.stop();
    this.#linger = this.#times.linger.start(expire);
  }

  /** Waits for a response to be sent, and for the other side to close. */
  waitForEnd(): void {
    this.stop();
    this.#dropsUntil = performance.now() + MAX_DROP_MS;
    this.#linger = this.#times.linger.start(() => this.#look());
  }

  /** Something has happened: the wait for a body or for the end begins anew. */
  goOn(): void {
    this.#linger?.start();
  }

  /** Bytes have come behind the end, and were dropped. */
  drop(): void {
    if (performance.now() < this.#dropsUntil) this.goOn();
  }

  stop(): void {
    this.#idle.stop();
    this.#head?.stop();
    this.#head = undefined;
    this.#linger?.stop();
    this.#linger = undefined;
  }

  /** A response goes on as long as its caller takes it (`Callers`). */
  #look(): void {
    if (this.#waiting.countUnsent() === 0) this.#waiting.onOver();
    else if (this.#linger) this.#linger.start();
    else this.#linger = this.#times.linger.start(() => this.#look());
  }
}

function tooSlow(): ProxyError {
  return new ProxyError(
    "request_timeout",
    "Cannot read the request: its head did not arrive in time (limit 15 s)",
  );
}
