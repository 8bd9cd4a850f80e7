/**
 * The pool of idle connections to targets, pinned to their checked addresses.
 * @module
 */

import { clearInterval, setInterval } from "node:timers";
import type { Outgoing, Upstream } from "../../exchange/runtime.ts";
import { FlowBody } from "../../http/flow.ts";
import type { Patience } from "../../http/gather.ts";
import { connectionOptions } from "./address.ts";
import { bondsOf, giveBack } from "./bonds.ts";
import { Connection } from "./connection.ts";
import type { RoundTripEvents } from "./round-trip-events.ts";
import { atTurnEnd, type TurnWatch } from "./turn.ts";
import type { Upload } from "./upload.ts";
import type { Connect } from "./wire.ts";

/** How often idle connections are checked, in milliseconds. */
const SWEEP_MS = 1_000;

/** Adapts a response to a server. `upload` is present while the request body is still being sent. */
export type Finish = (answer: Upstream, upload?: Upload) => Upstream | Promise<Upstream>;

/** The pool of one sender. */
export class HttpPool {
  /** By target, checked addresses and route, so a later decision applies to reused connections too; the newest is last. */
  readonly #idle = new Map<string, Connection[]>();
  readonly #patience: Patience;
  readonly #connect: Connect;
  #sweeper: NodeJS.Timeout | undefined;

  /** @param patience when to buffer a body instead of streaming it */
  constructor(patience: Patience, connect: Connect) {
    this.#patience = patience;
    this.#connect = connect;
  }

  /**
   * Sends a request on the connection that belongs to its caller, on an idle one, or on a new one, and settles with the
   * response headers. A response that is whole goes on with all others of the turn.
   */
  send(outgoing: Outgoing, finish: Finish = unchanged): Promise<Upstream> {
    const { signal, origin } = outgoing;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const options = connectionOptions(outgoing);
      const bonds = bondsOf(outgoing);
      const idle = bonds?.take(options.pool) ?? this.#take(options.pool);
      if (idle) outgoing.watch?.onReused();
      const connection = idle ??
        new Connection(options, origin.protocol === "https:", this.#patience, this.#connect);
      const onOver = (idleMs: number) =>
        connection.isBound
          ? giveBack(connection, options.pool, bonds, idleMs)
          : this.#put(options.pool, connection, idleMs);
      connection.run(outgoing, new Sending(finish, resolve, reject, onOver));
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

/** A request on its way. */
class Sending implements RoundTripEvents, TurnWatch {
  readonly #finish: Finish;
  readonly #settle: (answer: Upstream | Promise<Upstream>) => void;
  readonly reject: (failure: unknown) => void;
  readonly onOver: (idleMs: number) => void;
  #answer: Upstream | Promise<Upstream> | undefined;

  constructor(
    finish: Finish,
    settle: (answer: Upstream | Promise<Upstream>) => void,
    reject: (failure: unknown) => void,
    onOver: (idleMs: number) => void,
  ) {
    this.#finish = finish;
    this.#settle = settle;
    this.reject = reject;
    this.onOver = onOver;
  }

  resolve(answer: Upstream, upload?: Upload): void {
    const finished = this.#finish(answer, upload);
    if (answer.body instanceof FlowBody) return this.#settle(finished);
    this.#answer = finished;
    atTurnEnd(this);
  }

  onTurnEnd(): void {
    this.#settle(this.#answer!);
  }
}
