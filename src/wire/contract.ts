/**
 * The interface of a connection to a target.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { ConnectionOptions } from "./client/connection-options.ts";

/** The destination of bytes; a socket of `node:net` fits. */
export interface Wire {
  /** Bytes not sent yet. */
  readonly writableLength: number;
  /** Takes bytes. False means: wait until the watch is notified that they have been sent. */
  write(bytes: Uint8Array | string, encoding?: "latin1"): boolean;
  /** Collects writes until `uncork` sends them together. */
  cork(): void;
  uncork(): void;
  /**
   * Collects writes until the end of this turn of the event loop. Absent where that saves nothing.
   *
   * @returns true while there is room for more, whatever `write` says
   */
  gather?(): boolean;
  pause(): unknown;
  resume(): unknown;
  /** Whether the connection keeps the process running. */
  ref(): unknown;
  unref(): unknown;
  destroy(): unknown;
  /** Makes the failure of a request whose time is over, if the wire knows what it waited for. */
  explainEnd?(reason: unknown): unknown;
}

/** A connection of a caller. */
export interface CallerWire extends Wire {
  /** A number that differs with all bytes that the system has taken. */
  readonly takenBytes: number;
  /**
   * Sends what is left and closes the sending side; the whole connection once the other side has closed its own.
   *
   * @param isWhole true to close the whole connection then, because nothing that comes is wanted
   */
  finish(isWhole: boolean): void;
  /** Cuts it where an end would look like that of a body: with a reset, if the runtime has one. */
  cut(): void;
}

/** The listener of a connection. */
export interface WireWatch {
  /** TCP is connected; with TLS its handshake follows. Not told of plain connections, where it is `onOpen`. */
  onConnected?(): void;
  /** The connection can be written to. With TLS the certificate has been checked, and no byte has been sent. */
  onOpen(): void;
  /** Takes bytes, which stay as they are: their memory is the watch's own from now on. */
  onBytes(bytes: Buffer): void;
  onDrain(): void;
  /**
   * The other side has reset the connection, so nothing can be sent any more. Absent where that is the end of it.
   *
   * @returns true to read on: what the other side has said before it is wanted, and then comes `onClose` with a failure
   */
  onWriteFailed?(): boolean;
  /** Nothing more comes; without a failure if the other side ended cleanly. May be called more than once. */
  onClose(failure?: Error): void;
}

/** Makes a connection. */
export type Connect<W extends Wire = Wire> = (
  options: ConnectionOptions,
  isSecure: boolean,
  watch: WireWatch,
) => W;

/**
 * The failure of a connection that closed without a reason. One for all: to make one, with its stack, takes a hundredth of
 * the time of a new connection.
 */
export const CLOSED: Error = Object.freeze(Object.assign(new Error("closed"), { code: "ECONNRESET" }));
