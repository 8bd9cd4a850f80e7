/**
 * All callers' connections to one server.
 * @module
 */

import { createDeadlines, Stall } from "../../core/http/deadlines.ts";
import { WatchedList } from "../../core/http/open-list.ts";
import type { CallerWire, WireWatch } from "../contract.ts";
import { CallerConnection } from "./caller-connection.ts";
import { HEAD_MS, type Times } from "./connection-deadlines.ts";
import type { Host, Peer, Taken } from "./server-context.ts";

/** Limits in milliseconds: for an idle connection, and for one that is closing. */
const IDLE_MS = 75_000;
const LINGER_MS = 2_000;

/** How often a draining server checks for connections that it can close, in milliseconds. */
const LOOK_MS = 50;

/** How the server answers requests and joins WebSockets, and the idle timeout of its callers (0: see `lookMsOf`). */
export interface Answering extends Pick<Host, "answer" | "join"> {
  readonly idleTimeoutMs: number;
}

/** A connection, and the check that its caller takes the bytes sent to it. */
class OpenCaller extends CallerConnection {
  #sender!: CallerWire;
  readonly #stall = new Stall();

  override open(wire: CallerWire): void {
    this.#sender = wire;
    super.open(wire);
  }

  /** Cuts off a caller that takes none of its waiting bytes. With a reset, because a FIN would queue behind those bytes. */
  look(): void {
    const { writableLength, takenBytes } = this.#sender;
    if (!this.#stall.look(writableLength > 0, takenBytes)) return;
    this.#sender.cut();
    this.destroy();
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
  /** Looks regularly whether each takes the bytes that wait for it. */
  readonly #open: WatchedList<OpenCaller>;
  #drained: Promise<void> | undefined;
  #settle: (() => void) | undefined;

  constructor({ answer, join, idleTimeoutMs }: Answering) {
    this.answer = answer;
    this.join = join;
    this.#open = new WatchedList(idleTimeoutMs);
  }

  /**
   * Takes a connection. From now on, a time limit applies to it in every state.
   *
   * @param connect makes the wire that reports to the watch
   * @param close closes the connection if no wire can be made from it, for example after a reset
   */
  take(peer: Peer, connect: (watch: WireWatch) => CallerWire, close: () => void): void {
    const connection = new OpenCaller(peer, this);
    try {
      const wire = connect(connection);
      this.#open.add(connection);
      connection.open(wire);
    } catch {
      connection.release();
      close();
    }
  }

  onGone(connection: Taken): void {
    this.#open.delete(connection);
    if (this.#open.size === 0) this.#settle?.();
  }

  /** Closes all connections that have no request. */
  closeIdle(): void {
    for (const connection of this.#open.values()) connection.drain();
  }

  /** Settles when every request has been answered. From now on, no connection is reused. */
  drain(): Promise<void> {
    this.isDraining = true;
    return this.#drained ??= new Promise((resolve) => {
      // Not every wire reports when its last bytes have been sent.
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
