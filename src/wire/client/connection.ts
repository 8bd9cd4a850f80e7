/**
 * The owner of one connection to a target, from its dialling to its end: all that is known of it, and what its end means.
 *
 * - dialling: the request waits for it.
 * - fresh: its first request is on it. Its end is that request's.
 * - kept: no request is on it. Its target may end it at any time; bytes that come belong to nobody.
 * - reused: another request is on it. Until a byte of the response has come, its end may have crossed the request.
 * - bound, beside all of these: a login holds for it, so it belongs to one caller.
 * - gone: closed, broken, or handed over to another protocol.
 * @module
 * @see rules 17.3, 17.7, 17.8
 */

import type { Buffer } from "node:buffer";
import { setImmediate } from "node:timers";
import type { Outgoing } from "../../core/runtime.ts";
import { isConnectionLogin } from "../../core/http/connection-login.ts";
import type { Patience } from "../../core/http/gather.ts";
import type { ConnectionOptions } from "./connection-options.ts";
import { AnswerHeads } from "./answer-heads.ts";
import { RoundTrip, type RoundTripEvents } from "./round-trip.ts";
import type { Connect, Wire, WireWatch } from "../contract.ts";

/** Methods whose requests may go out twice, and have no body (RFC 9110 §9.2.2). */
const REPEATED: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** True for a request that may go out twice. */
export function isRepeatable({ method, body }: Outgoing): boolean {
  return body === null && REPEATED.has(method);
}

/** A connection that has served so many requests, and one within so many milliseconds, is taken to stand. */
const PROVEN_REQUESTS = 3;
const RECENT_MS = 100;

/** The new owner of a connection. */
type Heir = Pick<WireWatch, "onBytes" | "onDrain" | "onClose">;

/** What the connections of one sender have in common. */
export interface Making {
  readonly connect: Connect;
  /** When to buffer a body instead of streaming it. */
  readonly patience: Patience;
  /** A target has ended a connection that was kept, as far as anybody knew. */
  onSilentEnd(pool: string): void;
}

/** A connection: one round trip at a time. */
export class Connection implements WireWatch {
  /** Key of those that may take its place. */
  readonly pool: string;
  readonly #isSecure: boolean;
  readonly #making: Making;
  readonly #wire: Wire;
  readonly #heads = new AnswerHeads();
  #roundTrip: RoundTrip | undefined;
  #isOpen = false;
  /** True if it can't be used any more. */
  isGone = false;
  /** True once it has been kept, so that its target may end it while a request is on its way. */
  isKept = false;
  /** True once a byte of the response to the last request has come. */
  #isHeard = false;
  #hasLogin = false;
  /** When it ends if nobody needs it, by `performance.now()`. */
  #keptUntil = 0;
  #keptAt = 0;
  #served = 0;
  #heir: Heir | undefined;

  constructor(options: ConnectionOptions, isSecure: boolean, making: Making) {
    this.pool = options.pool;
    this.#isSecure = isSecure;
    this.#making = making;
    this.#wire = making.connect(options, isSecure, this);
  }

  /** True once a login on it may hold for all requests that follow: then it belongs to one caller. */
  get isBound(): boolean {
    return this.#hasLogin || this.#heads.hasLogin;
  }

  /** True while a request is on it. */
  get isBusy(): boolean {
    return this.#roundTrip !== undefined;
  }

  /** True if its target answered by HTTP/1.0; `undefined` if it has not answered. */
  get isOld(): boolean | undefined {
    return this.#heads.isOld;
  }

  onConnected(): void {
    this.#roundTrip?.outgoing.watch?.onConnected();
  }

  onOpen(): void {
    this.#isOpen = true;
    const watch = this.#roundTrip?.outgoing.watch;
    if (watch && this.#isSecure) watch.onSecured();
    else watch?.onConnected();
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

  /** Bytes that nobody has asked for may be the end of it, and are no response to what has not been sent. */
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
    // One that is bound is kept until its target ends it.
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
    const { signal, headers } = outgoing;
    this.#hasLogin ||= isConnectionLogin(headers.get("authorization"));
    const abort = () => roundTrip.fail(this.#wire.explainEnd?.(signal.reason) ?? signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    if (!this.#isOpen) return;
    this.#wire.ref();
    // What may not go out twice hears first of an end that has come already: Bun reads in the turn behind the next one.
    if (isRepeatable(outgoing) || this.#isProven()) roundTrip.start();
    else setImmediate(() => setImmediate(() => roundTrip.start()));
  }

  /** True if an end of it is unlikely to wait unread. Waiting for one costs uploads on Bun a fifth of their time. */
  #isProven(): boolean {
    return this.#served >= PROVEN_REQUESTS && performance.now() - this.#keptAt < RECENT_MS;
  }

  /** Waits for another round trip, until a time by `performance.now()`. */
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

  /** True if it may still be used; if its time is over, it ends. */
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

  /** Whoever took it over without watching its wire is told of its events. */
  tell(heir: Heir): void {
    this.#heir = heir;
  }

  destroy(): void {
    this.isGone = true;
    this.#roundTrip = undefined;
    this.#wire.destroy();
  }
}
