/**
 * All connections of callers to one server.
 * @module
 */

import { createDeadlines } from "../../http/deadlines.ts";
import type { CallerWire, WireWatch } from "../http1/wire.ts";
import { CallerConnection } from "./caller-connection.ts";
import type { Times } from "./connection-limits.ts";
import type { Host, Peer, Taken } from "./host.ts";

/** Milliseconds for a head that has begun (slowloris), for an idle connection, and for the end of one. */
const HEAD_MS = 15_000;
const IDLE_MS = 75_000;
const LINGER_MS = 2_000;

/** How often a draining server looks for connections that it can close, in milliseconds. */
const LOOK_MS = 50;

/** What the server does with requests. */
export type Answering = Pick<Host, "answer" | "join">;

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
  readonly #open = new Set<CallerConnection>();
  #drained: Promise<void> | undefined;
  #settle: (() => void) | undefined;

  constructor({ answer, join }: Answering) {
    this.answer = answer;
    this.join = join;
  }

  /**
   * Takes a connection. From now on it has a time limit, whatever it does.
   *
   * @param connect makes the wire that reports to the watch
   * @param close closes what no wire could be made of, such as a connection that has been reset meanwhile
   */
  take(peer: Peer, connect: (watch: WireWatch) => CallerWire, close: () => void): void {
    const connection = new CallerConnection(peer, this);
    this.#open.add(connection);
    try {
      connection.open(connect(connection));
    } catch {
      connection.release();
      close();
    }
  }

  onGone(connection: Taken): void {
    this.#open.delete(connection as CallerConnection);
    if (this.#open.size === 0) this.#settle?.();
  }

  /** Closes the connections without a request. */
  closeIdle(): void {
    for (const connection of this.#open) connection.drain();
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
