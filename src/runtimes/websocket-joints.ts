/**
 * The WebSockets that are open: told to go away when the proxy stops.
 *
 * There are two kinds. Where the runtime hands over the caller's connection (Node) a tunnel lets the bytes of both pass
 * as they are (`websocket-tunnel.ts`). Where it keeps the connection and hands over messages (Bun, Deno) a relay reads
 * the target's frames and writes it new ones (`websocket-relay.ts`). Both begin with what `websocket-dial.ts` has dialled.
 * @module
 */

/** Two joined sides. */
export interface Joint {
  /** Closes both with 1001 (RFC 6455 §7.4.1, going away). */
  goAway(): void;
}

/** All joints of one server. */
export class Joints {
  readonly #open = new Set<Joint>();
  readonly #listeners: (() => void)[] = [];
  #isClosing = false;
  #settle: (() => void) | undefined;

  add(joint: Joint): void {
    this.#open.add(joint);
    if (this.#isClosing) joint.goAway();
  }

  delete(joint: Joint): void {
    this.#open.delete(joint);
    if (this.#open.size === 0) this.#settle?.();
  }

  /** Calls back when the proxy stops: for whatever else would stay open. */
  onClose(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Tells all to go away, and settles when they have gone. */
  close(): Promise<void> {
    this.#isClosing = true;
    for (const listener of this.#listeners) listener();
    for (const joint of this.#open) joint.goAway();
    return new Promise((resolve) => {
      this.#settle = resolve;
      if (this.#open.size === 0) resolve();
    });
  }
}
