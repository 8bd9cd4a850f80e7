/**
 * What a round trip reports to whoever sent its request.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Fields } from "../../core/http/fields.ts";
import type { Upstream } from "../../core/runtime.ts";
import type { Upload } from "./upload.ts";

/** The result is `resolve` with the head, `reject` or `onSwitch`. `onOver` follows once, when the connection is free. */
export interface RoundTripEvents {
  /** @param upload present if the response arrived before the upload ended */
  resolve(response: Upstream, upload?: Upload): void;
  reject(failure: unknown): void;
  /** Called instead of any result: the request must be sent on another connection. */
  onAgain(): void;
  /** @param idleMs how long the connection may be kept, in milliseconds; 0 if it must be closed */
  onOver(idleMs: number): void;
  /** The connection has switched protocols; `rest` is the first data of the new one. Throws if that was not asked for. */
  onSwitch(headers: Fields, rest: Buffer): void;
}
