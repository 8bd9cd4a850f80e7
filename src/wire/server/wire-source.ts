/**
 * Where the body of a request comes from.
 * @module
 */

import type { CallerWire } from "../contract.ts";
import type { BodySource } from "./received-request.ts";

/** The connection as the source of one body. */
export class WireSource implements BodySource {
  readonly #wire: CallerWire;
  readonly #onWanted: () => void;

  /** @param onWanted the body is wanted, perhaps again */
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
