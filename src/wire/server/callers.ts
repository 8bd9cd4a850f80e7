/**
 * All connections of callers to one server.
 * @module
 */

import { createDeadlines } from "../../core/http/deadlines.ts";
import { Looks, Stall } from "../../core/http/stall.ts";
import type { CallerWire, WireWatch } from "../contract.ts";
import { CallerConnection } from "./caller-connection.ts";
import type { Times } from "./connection-limits.ts";
import type { Host, Peer, Taken } from "./server-context.ts";

/** Milliseconds for a head that has begun (slowloris), for an idle connection, and for the end of one. */
const HEAD_MS = 15_000;
const IDLE_MS = 75_000;
const LINGER_MS = 2_000;

/** How often a draining server looks for connections that it can close, in milliseconds. */
const LOOK_MS = 50;

/** What the server does with requests, and the idle timeout of its callers (0: see `lookMsOf`). */
export interface Answering extends Pick<Host, "answer" | "join"> {
  readonly idleTimeoutMs: number;
}

/** A connection, and the looks at what its caller takes. */
class OpenCaller {
  readonly connection: CallerConnection;
  readonly #wire: CallerWire;
  readonly #stall = new Stall();

  constructor(connection: CallerConnection, wire: CallerWire) {
    this.connection = connection;
    this.#wire = wire;
  }

  /** Cuts a caller off that takes nothing of what waits for it. A reset, because an end would wait behind those bytes. */
  look(): void {
    const { writableLength, takenBytes } = this.#wire;
    if (!this.#stall.look(writableLength > 0, takenBytes)) return;
    this.#wire.cut();
    this.connection.destroy();
  }
}

/** The connections of one server. */
export class Callers implements Host {
  readonly times: Times = {
    head: createDeadlines(HEAD_MS, true),
    idle: createDeadlines(IDLE_MS, true),
    linger: createDeadlines(LINGER_MS, true),
  };
  isDraining = false;
  readonly answer: Host["answer"];
  readonly join: Host["join"];
  readonly #open = new Map<Taken, OpenCaller>();
  #drained: Promise<void> | undefined;
  #settle: (() => void) | undefined;
  /** Looks whether they take what waits for them. */
  readonly #looks: Looks;

  constructor({ answer, join, idleTimeoutMs }: Answering) {
    this.answer = answer;
    this.join = join;
    this.#looks = new Looks(this.#open, idleTimeoutMs);
  }

  /**
   * Takes a connection. From now on it has a time limit, whatever it does.
   *
   * @param connect makes the wire that reports to the watch
   * @param close closes what no wire could be made of, such as a connection that has been reset meanwhile
   */
  take(peer: Peer, connect: (watch: WireWatch) => CallerWire, close: () => void): void {
    const connection = new CallerConnection(peer, this);
    try {
      const wire = connect(connection);
      this.#open.set(connection, new OpenCaller(connection, wire));
      this.#looks.added();
      connection.open(wire);
    } catch {
      connection.release();
      close();
    }
  }

  onGone(connection: Taken): void {
    this.#open.delete(connection);
    this.#looks.deleted();
    if (this.#open.size === 0) this.#settle?.();
  }

  /** Closes the connections without a request. */
  closeIdle(): void {
    for (const { connection } of this.#open.values()) connection.drain();
  }

  /** Settles when every request has been answered; no connection is used again. */
  drain(): Promise<void> {
    this.isDraining = true;
    return this.#drained ??= new Promise((resolve) => {
      // Not every wire tells when its last bytes have been sent.
      const looks = setInterval(() => this.closeIdle(), LOOK_MS);
      this.#settle = () => {
        clearInterval(looks);
        resolve();
      };
      this.closeIdle();
      if (this.#open.size === 0) this.#settle();
    });
  }
}
