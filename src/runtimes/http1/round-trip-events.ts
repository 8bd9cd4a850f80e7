/**
 * What comes of a round trip.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Upstream } from "../../exchange/runtime.ts";
import type { Fields } from "../../http/fields.ts";
import type { Upload } from "./upload.ts";

/** The result: `resolve` with the head, or `reject`. Then `onOver` once, when the connection is free of it. */
export interface RoundTripEvents {
  /** @param upload present if the response arrived before the upload ended */
  resolve(answer: Upstream, upload?: Upload): void;
  reject(failure: unknown): void;
  /** The connection has ended before a byte of the answer. True if the request goes out again, on another one. */
  onUnheard?(): boolean;
  /** @param idleMs how long the connection may stay idle; 0 if it must be closed */
  onOver(idleMs: number): void;
  /**
   * The connection has switched protocols; `rest` is the first data of the new one. If absent, a switch is a failure.
   */
  onSwitch?(headers: Fields, rest: Buffer): void;
}
