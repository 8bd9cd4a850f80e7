/**
 * The WebSockets that are open: told to go away when the proxy stops.
 * @module
 */

/** Two joined sides (`websocket-join.ts`). */
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
