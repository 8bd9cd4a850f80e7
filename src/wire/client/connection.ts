/**
 * The owner of one connection to a target, from dialling to its end. It tracks these states, and what an end means in each:
 *
 * - dialling: the request waits for the connection.
 * - fresh: the first request is on the connection. If the connection ends, that request fails.
 * - kept: the connection is idle. The target may close it at any time; bytes that arrive belong to no request.
 * - reused: a later request is on it. Until the first response byte, a close by the target may have crossed the request.
 * - bound, in addition to any of these: a login applies to the connection, so it serves one caller only.
 * - gone: closed, broken, or handed over to another protocol.
 * @module
 * @see rules 17.3, 17.7, 17.8
 */

import type { Buffer } from "node:buffer";
import type { TlsFacts } from "../../core/hop-watch.ts";
import type { Outgoing } from "../../core/runtime.ts";
import { isConnectionLogin } from "../../core/http/connection-login.ts";
import type { Patience } from "../../core/http/flow-queue.ts";
import type { ConnectionOptions } from "./connection-options.ts";
import { ResponseHeads } from "./response-heads.ts";
import { RoundTrip } from "./round-trip.ts";
import type { RoundTripEvents } from "./round-trip-events.ts";
import type { Connect, Wire, WireWatch } from "../contract.ts";
import { atTurnEnd } from "../turn.ts";

/** Methods whose requests may be sent twice: they are idempotent, and have no body (RFC 9110 §9.2.2). */
const REPEATED: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** True for a request that may be sent twice: one without a body, whose method allows it. */
export function isRepeatable({ method, body }: Outgoing): boolean {
  return body === null && REPEATED.has(method);
}

/** After this many requests, the last within this many milliseconds, a connection is assumed to be still open. */
const PROVEN_REQUESTS = 3;
const RECENT_MS = 100;

/** The new owner of a connection. */
type Heir = Pick<WireWatch, "onBytes" | "onDrain" | "onClose">;

/** What the connections of one sender share. */
export interface Making {
  readonly connect: Connect;
  /** When to buffer a body instead of streaming it. */
  readonly patience: Patience;
  /** A target has closed a kept connection, before any byte of a further response, without having announced it. */
  onSilentEnd(pool: string): void;
}

/** A connection: one round trip at a time. */
export class Connection implements WireWatch {
  /** Key of this connection's pool: connections with the same key are interchangeable. */
  readonly pool: string;
  readonly #isSecure: boolean;
  readonly #making: Making;
  readonly #wire: Wire;
  readonly #heads = new ResponseHeads();
  #roundTrip: RoundTrip | undefined;
  #isOpen = false;
  #readTls: (() => TlsFacts) | undefined;
  #tls: TlsFacts | undefined;
  /** True if it can no longer be used. */
  isGone = false;
  /** True once it has been idle in the pool: the target may now close it while a request is on its way. */
  isKept = false;
  /** True once a byte of the response to the current request has arrived. */
  #isHeard = false;
  #hasLogin = false;
  /** When the connection is closed if it stays idle, by `performance.now()`. */
  #keptUntil = 0;
  /** When the last response was complete, by `performance.now()`, and how many there were. */
  #keptAt = 0;
  #served = 0;
  #heir: Heir | undefined;

  constructor(options: ConnectionOptions, isSecure: boolean, making: Making) {
    this.pool = options.pool;
    this.#isSecure = isSecure;
    this.#making = making;
    this.#wire = making.connect(options, isSecure, this);
  }

  /** True once a login may apply to all later requests on this connection: then it serves one caller only. */
  get isBound(): boolean {
    return this.#hasLogin || this.#heads.hasLogin;
  }

  /** The TLS of the connection, read when first asked for; `undefined` without TLS, and where the runtime does not tell. */
  get tls(): TlsFacts | undefined {
    return this.#tls ??= this.#readTls?.();
  }

  /** True while a request is on it. */
  get isBusy(): boolean {
    return this.#roundTrip !== undefined;
  }

  /** True if its target answered with HTTP/1.0; `undefined` if it has not answered. */
  get isOld(): boolean | undefined {
    return this.#heads.isOld;
  }

  onConnected(): void {
    this.#roundTrip?.outgoing.watch?.onConnected(this);
  }

  onOpen(readTls?: () => TlsFacts): void {
    this.#isOpen = true;
    this.#readTls = readTls;
    const watch = this.#roundTrip?.outgoing.watch;
    if (watch && this.#isSecure) watch.onSecured(this.tls);
    else watch?.onConnected(this);
    this.#roundTrip?.start();
  }

  onBytes(bytes: Buffer): void {
    const roundTrip = this.#roundTrip;
    if (!roundTrip?.isStarted) return this.#heir ? this.#heir.onBytes(bytes) : this.#spoil();
    if (!this.#isHeard) {
      this.#isHeard = true;
      roundTrip.outgoing.watch?.onFirstByte();
    }
    roundTrip.read(bytes);
  }

  /** Handles bytes without a started request: they may announce a close, and can't be the response to an unsent request. */
  #spoil(): void {
    const roundTrip = this.#roundTrip;
    this.destroy();
    roundTrip?.goOutAgain();
  }

  onDrain(): void {
    if (this.#heir) return this.#heir.onDrain();
    this.#roundTrip?.drained();
  }

  onWriteFailed(): boolean {
    this.isGone = true;
    this.#roundTrip?.stopUpload();
    return this.isBusy;
  }

  onClose(failure?: Error): void {
    if (this.#heir) return this.#heir.onClose(failure);
    const roundTrip = this.#roundTrip;
    if (this.isGone && !roundTrip) return;
    this.isGone = true;
    const isUnheard = this.isKept && !this.#isHeard;
    // A bound connection is kept until its target closes it, so that close says nothing about other connections.
    if (isUnheard && !this.isBound) this.#making.onSilentEnd(this.pool);
    if (!roundTrip) return;
    const mayGoAgain = isUnheard && (!roundTrip.isStarted || isRepeatable(roundTrip.outgoing));
    if (!mayGoAgain) return roundTrip.closed(failure);
    this.destroy();
    roundTrip.goOutAgain();
  }

  /** Sends a request: at once, or when connected. */
  run(outgoing: Outgoing, events: RoundTripEvents): void {
    const roundTrip = new RoundTrip(outgoing, this.#wire, this.#heads, this.#making.patience, events);
    this.#roundTrip = roundTrip;
    this.#hasLogin ||= isConnectionLogin(outgoing.headers.get("authorization"));
    if (!this.#isOpen) return;
    this.#wire.ref();
    // A request that can't be repeated first waits for a close that has already come: Bun reads it in the turn after next.
    if (isRepeatable(outgoing) || this.#isProven()) roundTrip.start();
    else atTurnEnd({ onTurnEnd: () => atTurnEnd({ onTurnEnd: () => roundTrip.start() }) });
  }

  /** True if an unread close is unlikely. Waiting for one costs uploads on Bun a sixth of their throughput. */
  #isProven(): boolean {
    return this.#served >= PROVEN_REQUESTS && performance.now() - this.#keptAt < RECENT_MS;
  }

  /** Keeps the idle connection for another round trip, until this time by `performance.now()`. */
  keep(until: number): void {
    this.#roundTrip = undefined;
    this.isKept = true;
    this.#isHeard = false;
    this.#keptUntil = until;
    this.#keptAt = performance.now();
    this.#served += 1;
    this.#wire.resume();
    // A connection without a request must not keep the process running.
    this.#wire.unref();
  }

  /** True if it may still be used at this time; a connection whose time is over is closed. */
  isKeptAt(now: number): boolean {
    if (now >= this.#keptUntil) this.destroy();
    return !this.isGone;
  }

  /** Hands the connection over. The new owner watches it. */
  release(): Wire {
    this.isGone = true;
    this.#roundTrip = undefined;
    return this.#wire;
  }

  /** Forwards later events to a new owner that does not watch the wire itself. */
  tell(heir: Heir): void {
    this.#heir = heir;
  }

  destroy(): void {
    this.isGone = true;
    this.#roundTrip = undefined;
    this.#wire.destroy();
  }
}
