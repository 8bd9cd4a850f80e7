/**
 * A target that is asked whether it wants a body, before it is sent (RFC 9110 §10.1.1).
 * @module
 */

import { clearTimeout, setTimeout } from "node:timers";
import type { Continuation } from "../../exchange/interim.ts";

/** A target that is silent for so many milliseconds is sent the body: HTTP/1.0 knows no 100. */
const SILENCE_MS = 1_000;

/** Holds an upload back until the target wants it, its caller waits no more, or nobody says anything. */
export class Expectation {
  readonly #timer: NodeJS.Timeout;
  #begin: (() => void) | undefined;

  /** @param begin begins the upload; called once at most */
  constructor(continuation: Continuation, begin: () => void) {
    this.#begin = begin;
    this.#timer = setTimeout(() => this.meet(), SILENCE_MS);
    continuation.onBody = () => this.meet();
  }

  /** The upload begins, unless it has. */
  meet(): void {
    const begin = this.#begin;
    this.end();
    begin?.();
  }

  /** The upload does not begin any more. False if it has. */
  end(): boolean {
    const isOpen = this.#begin !== undefined;
    this.#begin = undefined;
    clearTimeout(this.#timer);
    return isOpen;
  }
}
