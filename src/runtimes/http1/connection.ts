/**
 * A connection to a target, and its current round trip.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Outgoing } from "../../exchange/runtime.ts";
import { isConnectionLogin } from "../../http/connection-login.ts";
import type { Patience } from "../../http/gather.ts";
import type { ConnectionOptions } from "./address.ts";
import { AnswerHeads } from "./answer-heads.ts";
import { RoundTrip } from "./round-trip.ts";
import type { RoundTripEvents } from "./round-trip-events.ts";
import type { Connect, Wire, WireWatch } from "./wire.ts";

/** The new owner of a connection. */
type Heir = Pick<WireWatch, "onBytes" | "onDrain" | "onClose">;

/** A connection: one round trip at a time, idle between them. */
export class Connection<W extends Wire = Wire> implements WireWatch {
  readonly #wire: W;
  readonly #patience: Patience;
  readonly #isSecure: boolean;
  readonly #heads = new AnswerHeads();
  #roundTrip: RoundTrip | undefined;
  #isOpen = false;
  /** True if it can't be used any more. */
  isGone = false;
  #sweepsLeft = 0;
  /** Called if the target ends it while it waits. */
  #onEnded: (() => void) | undefined;
  #hasLogin = false;
  /** Who has taken the connection over. */
  #heir: Heir | undefined;

  constructor(options: ConnectionOptions, isSecure: boolean, patience: Patience, connect: Connect<W>) {
    this.#patience = patience;
    this.#isSecure = isSecure;
    this.#wire = connect(options, isSecure, this);
  }

  /** True once a login on it may hold for all requests that follow: then it belongs to one caller. */
  get isBound(): boolean {
    return this.#hasLogin || this.#heads.hasLogin;
  }

  /** True if its target answered by HTTP/1.0; `undefined` if it has not answered. */
  get isOld(): boolean | undefined {
    return this.#heads.isOld;
  }

  onConnected(): void {
    this.#roundTrip?.watch?.onConnected();
  }

  onOpen(): void {
    this.#isOpen = true;
    const watch = this.#roundTrip?.watch;
    if (watch && this.#isSecure) watch.onSecured();
    else watch?.onConnected();
    this.#roundTrip?.start();
  }

  onBytes(bytes: Buffer): void {
    if (this.#roundTrip) this.#roundTrip.read(bytes);
    else if (this.#heir) this.#heir.onBytes(bytes);
    else this.destroy();
  }

  onDrain(): void {
    if (this.#heir) return this.#heir.onDrain();
    this.#roundTrip?.drained();
  }

  onWriteFailed(): boolean {
    this.isGone = true;
    this.#roundTrip?.stopUpload();
    return this.#roundTrip !== undefined;
  }

  onClose(failure?: Error): void {
    if (this.#heir) return this.#heir.onClose(failure);
    const roundTrip = this.#roundTrip;
    const wasOpen = !this.isGone;
    this.isGone = true;
    if (roundTrip) roundTrip.closed(failure);
    else if (wasOpen) this.#onEnded?.();
  }

  /** Sends a request, at once or when connected. */
  run(outgoing: Outgoing, events: RoundTripEvents): void {
    const roundTrip = new RoundTrip(outgoing, this.#wire, this.#heads, this.#patience, events);
    this.#roundTrip = roundTrip;
    const { signal, headers } = outgoing;
    this.#hasLogin ||= isConnectionLogin(headers.get("authorization"));
    const abort = () => roundTrip.fail(this.#wire.explainEnd?.(signal.reason) ?? signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    if (!this.#isOpen) return;
    this.#wire.ref();
    roundTrip.start();
  }

  /**
   * Waits for another round trip, for this many sweeps at most.
   *
   * @param onEnded called if the target ends it meanwhile
   */
  wait(sweeps: number, onEnded?: () => void): void {
    this.#roundTrip = undefined;
    this.#sweepsLeft = sweeps;
    this.#onEnded = onEnded;
    this.#wire.resume();
    // An idle connection must not keep the process running.
    this.#wire.unref();
  }

  /** Counts a sweep; true if the connection may stay idle. */
  waitOn(): boolean {
    this.#sweepsLeft -= 1;
    if (this.#sweepsLeft <= 0) this.destroy();
    return !this.isGone;
  }

  /** Hands the connection over. The new owner watches it. */
  release(): W {
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
