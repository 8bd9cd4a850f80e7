/**
 * The interface of a connection to a target.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { ConnectionOptions } from "./address.ts";

/** What bytes are written to; a socket of `node:net` is one. */
export interface Wire {
  /** Bytes that have not left yet. */
  readonly writableLength: number;
  /** Takes bytes; false where the watch is told when they have left, and to go on. */
  write(bytes: Uint8Array | string, encoding?: "latin1"): boolean;
  /** Keeps what is written, so that it leaves at once when it is uncorked. */
  cork(): void;
  uncork(): void;
  pause(): unknown;
  resume(): unknown;
  /** Whether the process stays for it. */
  ref(): unknown;
  unref(): unknown;
  destroy(): unknown;
}

/** Who is told what happens on a connection. */
export interface WireWatch {
  /** It can be written to. A certificate has been checked by then, and not a byte has left. */
  onOpen(): void;
  onBytes(bytes: Buffer): void;
  onDrain(): void;
  /** Nothing more comes, for no failure where the other side has ended it. May be told more than once. */
  onClose(failure?: Error): void;
}

/** Makes a connection. */
export type Connect<W extends Wire = Wire> = (
  options: ConnectionOptions,
  isSecure: boolean,
  watch: WireWatch,
) => W;

/** The failure of a connection that closed and says no more. */
export function closed(): Error {
  return Object.assign(new Error("closed"), { code: "ECONNRESET" });
}
