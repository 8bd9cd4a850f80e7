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
import { SilentTargets } from "./silent-targets.ts";
import { atTurnEnd, type TurnWatch } from "./turn.ts";
import type { Upload } from "./upload.ts";
import type { Connect } from "./wire.ts";

/** How often idle connections are checked, in milliseconds. */
const SWEEP_MS = 1_000;

/** Methods whose requests may go out twice, and have no body (RFC 9110 §9.2.2). */
const REPEATED: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Past so many targets of HTTP/1.0, all of them are forgotten. */
const MOST_OLD = 1_000;

/** Adapts a response to a server. `upload` is present while the request body is still being sent. */
export type Finish = (answer: Upstream, upload?: Upload) => Upstream | Promise<Upstream>;

/** The pool of one sender. */
export class HttpPool {
  /** By target, checked addresses and route, so a later decision applies to reused connections too; the newest is last. */
  readonly #idle = new Map<string, Connection[]>();
  readonly #patience: Patience;
  readonly #connect: Connect;
  #sweeper: NodeJS.Timeout | undefined;
  readonly #silent = new SilentTargets();
  /** The targets that answered by HTTP/1.0 last. It knows no 100, so they are not asked for one (RFC 9110 §10.1.1). */
  readonly #old = new Set<string>();

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
    return new Promise((resolve, reject) => {
      if (outgoing.signal.aborted) reject(outgoing.signal.reason);
      else this.#run(outgoing, { finish, resolve, reject });
    });
  }

  /** @param isAgain true for the second try, which is the last: it goes over a fresh connection */
  #run(outgoing: Outgoing, ends: Ends, isAgain = false): void {
    const { method, body, origin } = outgoing;
    const options = connectionOptions(outgoing);
    const { pool } = options;
    const bonds = bondsOf(outgoing);
    const idle = isAgain ? undefined : bonds?.take(pool) ?? this.#take(pool);
    if (idle) outgoing.watch?.onReused();
    const connection = idle ??
      new Connection(options, origin.protocol === "https:", this.#patience, this.#connect);
    const onOver = (idleMs: number) => {
      this.#note(pool, connection.isOld);
      if (connection.isBound) giveBack(connection, pool, bonds, idleMs);
      else this.#put(pool, connection, idleMs);
    };
    // A connection that was kept may have been closed while the request was on its way.
    const onUnheard = () => {
      this.#silent.add(pool);
      const goesOutAgain = REPEATED.has(method) && body === null;
      if (goesOutAgain) {
        onOver(0);
        this.#run(outgoing, ends, true);
      }
      return goesOutAgain;
    };
    const isUnasked = outgoing.continuation && this.#old.has(pool);
    const sent = isUnasked ? { ...outgoing, continuation: undefined } : outgoing;
    connection.run(sent, new Sending(ends, onOver, idle && onUnheard));
  }

  #note(key: string, isOld: boolean | undefined): void {
    if (isOld === false && this.#old.size > 0) this.#old.delete(key);
    if (!isOld) return;
    if (this.#old.size >= MOST_OLD) this.#old.clear();
    this.#old.add(key);
  }

  #take(key: string): Connection | undefined {
    const waiting = this.#idle.get(key);
    for (let found = waiting?.pop(); found; found = waiting?.pop()) {
      if (found.isGone) continue;
      if (!this.#silent.has(key)) return found;
      found.destroy();
    }
    return undefined;
  }

  #put(key: string, connection: Connection, idleMs: number): void {
    const sweeps = Math.floor(idleMs / SWEEP_MS);
    if (sweeps <= 0 || this.#silent.has(key)) return connection.destroy();
    const waiting = this.#idle.get(key) ?? [];
    connection.wait(sweeps, () => this.#silent.add(key));
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

/** Who waits for a response. */
interface Ends {
  readonly finish: Finish;
  readonly resolve: (answer: Upstream | Promise<Upstream>) => void;
  readonly reject: (failure: unknown) => void;
}

/** A request on its way. */
class Sending implements RoundTripEvents, TurnWatch {
  readonly #ends: Ends;
  readonly onOver: (idleMs: number) => void;
  readonly onUnheard: (() => boolean) | undefined;
  #answer: Upstream | Promise<Upstream> | undefined;

  constructor(
    ends: Ends,
    onOver: (idleMs: number) => void,
    onUnheard: (() => boolean) | undefined,
  ) {
    this.#ends = ends;
    this.onOver = onOver;
    this.onUnheard = onUnheard;
  }

  reject(failure: unknown): void {
    this.#ends.reject(failure);
  }

  resolve(answer: Upstream, upload?: Upload): void {
    const finished = this.#ends.finish(answer, upload);
    if (answer.body instanceof FlowBody) return this.#ends.resolve(finished);
    this.#answer = finished;
    atTurnEnd(this);
  }

  onTurnEnd(): void {
    this.#ends.resolve(this.#answer!);
  }
}
