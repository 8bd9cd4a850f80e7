/**
 * The open WebSockets; the proxy closes them when it stops.
 * @module
 */

import { type Placed, WatchedList } from "../../core/http/open-list.ts";

/** A joined WebSocket (`join.ts`). */
export interface OpenSocket extends Placed {
  /** Closes both sides with 1001 (RFC 6455 §7.4.1, going away), unless one has begun to close by itself. */
  goAway(): void;
  /** Cuts a side that takes none of the bytes that wait for it. */
  look(): void;
}

/** All open WebSockets of one server. */
export class OpenSockets {
  readonly #open: WatchedList<OpenSocket>;
  readonly #listeners: (() => void)[] = [];
  #isClosing = false;
  readonly #waiting: (() => void)[] = [];

  /** @param idleTimeoutMs limit for a side that takes no bytes (0: see `lookMsOf`) */
  constructor(idleTimeoutMs: number) {
    this.#open = new WatchedList(idleTimeoutMs);
  }

  add(socket: OpenSocket): void {
    this.#open.add(socket);
    if (this.#isClosing) socket.goAway();
  }

  delete(socket: OpenSocket): void {
    this.#open.delete(socket);
    if (this.#open.size === 0) this.#waiting.splice(0).forEach((settle) => settle());
  }

  /** Calls the listener when the proxy stops, to close anything else that would stay open. */
  onClose(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Closes all open WebSockets, and settles when they are gone. */
  close(): Promise<void> {
    this.#isClosing = true;
    for (const listener of this.#listeners) listener();
    for (const socket of this.#open.values()) socket.goAway();
    // Called again while it waits: a server that has been closed closes what is attached to it, too.
    return new Promise((resolve) => {
      if (this.#open.size === 0) resolve();
      else this.#waiting.push(resolve);
    });
  }
}
