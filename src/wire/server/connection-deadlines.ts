/**
 * Limits how long a caller's connection may wait: for a request, for the rest of a head, and for its own end.
 * @module
 */

import type { Deadline, Deadlines } from "../../core/http/deadlines.ts";
import { ProxyError } from "../../core/http/error.ts";

/** Milliseconds for a head that has begun (slowloris), for the first bytes of an https listener, and for a TLS handshake. */
export const HEAD_MS = 15_000;

/** Time limits for a head that has begun, for an idle connection, and for one that is closing. */
export type Times = Readonly<Record<"head" | "idle" | "linger", Deadlines>>;

/** A caller that writes on after our end is read for this many milliseconds: it may read the response only afterwards. */
const MAX_DROP_MS = 30_000;

/** The connection whose waiting is limited. */
export interface Waiting {
  /** Bytes that have not been sent. */
  countUnsent(): number;
  /** The head has not arrived in time. */
  onSlowHead(failure: ProxyError): void;
  /** A time limit has passed without progress: the connection must be closed. */
  onOver(): void;
}

/** The limits of one connection. It waits for one thing at a time. */
export class ConnectionDeadlines {
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

  /** Waits for the end of a TLS handshake. A caller that is too slow gets no response, because none can be sent yet. */
  waitForHandshake(): void {
    this.stop();
    this.#head = this.#times.head.start(() => this.#waiting.onOver());
  }

  waitForRequest(): void {
    this.stop();
    this.#idle.start();
  }

  /** Waits for the rest of a head. The limit counts from its first bytes, and later bytes do not extend it. */
  waitForHead(): void {
    if (this.#head) return;
    this.stop();
    this.#head = this.#times.head.start(() => this.#waiting.onSlowHead(tooSlow()));
  }

  /** Waits for the rest of a request body that is being dropped. */
  waitForBody(expire: () => void): void {
    this.stop();
    this.#linger = this.#times.linger.start(expire);
  }

  /** Waits until the response has been sent and the peer has closed its side. */
  waitForEnd(): void {
    this.stop();
    this.#dropsUntil = performance.now() + MAX_DROP_MS;
    this.#linger = this.#times.linger.start(() => this.#look());
  }

  /** There was progress: restarts the limit for a body or for the end. */
  goOn(): void {
    this.#linger?.start();
  }

  /** Bytes arrived after our end, and were dropped. */
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

  /** Waits on while bytes are unsent: `Callers` decides whether the caller still takes them. */
  #look(): void {
    if (this.#waiting.countUnsent() === 0) this.#waiting.onOver();
    else if (this.#linger) this.#linger.start();
    else this.#linger = this.#times.linger.start(() => this.#look());
  }
}

function tooSlow(): ProxyError {
  return new ProxyError(
    "request_timeout",
    `Cannot read the request: its headers did not arrive in time (limit ${HEAD_MS / 1_000} s)`,
  );
}
