/**
 * The events of one request on its way to a target, for capture: types only.
 * @module
 */

import type { Interim } from "./interim.ts";

/**
 * Observes a request. Every method but `onInterim` is called at most once for each connection, of which there may be two;
 * those that do not apply are left out. A target may answer before the last byte of the request was sent.
 *
 * @internal
 */
export interface HopWatch {
  /** Its connection was open already. */
  onReused(): void;
  /** A new connection is open; with another proxy, the tunnel through it. */
  onConnected(): void;
  /** TLS with the target is agreed upon. */
  onSecured(): void;
  /** The last byte of the request was handed to the connection. */
  onSent(): void;
  /** The first byte of the response arrived. */
  onFirstByte(): void;
  /** The target said this before its response, whether it is passed on or not. */
  onInterim(interim: Interim): void;
}
