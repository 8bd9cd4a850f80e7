/**
 * The connection as the source of a request body.
 * @module
 */

import type { CallerWire } from "../contract.ts";
import type { BodySource } from "./received-request.ts";

/** Controls a connection on behalf of one body. */
export class WireSource implements BodySource {
  readonly #wire: CallerWire;
  readonly #onWanted: () => void;

  /** @param onWanted called when the body is wanted, possibly several times */
  constructor(wire: CallerWire, onWanted: () => void) {
    this.#wire = wire;
    this.#onWanted = onWanted;
  }

  resume(): void {
    this.#onWanted();
  }

  pause(): void {
    this.#wire.pause();
  }

  cancel(): void {
    this.#wire.resume();
  }
}
