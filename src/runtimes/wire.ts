/**
 * Connections to targets as exchanges use them, and the one that every runtime has.
 * @module
 */

import type { Buffer } from "node:buffer";
import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectSecure } from "node:tls";
import type { ConnectionOptions } from "./connection.ts";

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

/** Connects with `node:net` and `node:tls`. */
export const connectNode: Connect<Socket> = (options, isSecure, watch) => {
  const socket = isSecure
    ? connectSecure({ ...options, ALPNProtocols: ["http/1.1"] })
    : connectPlain(options);
  socket.setNoDelay(true);
  socket.once(isSecure ? "secureConnect" : "connect", () => watch.onOpen());
  socket.on("data", (bytes: Buffer) => watch.onBytes(bytes));
  socket.on("drain", () => watch.onDrain());
  socket.on("error", (failure: Error) => watch.onClose(failure));
  socket.on("end", () => watch.onClose());
  socket.on("close", () => watch.onClose(closed()));
  return socket;
};

/** The failure of a connection that closed and says no more. */
export function closed(): Error {
  return Object.assign(new Error("closed"), { code: "ECONNRESET" });
}
