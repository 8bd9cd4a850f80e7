/**
 * The interface of a connection to a target.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { TlsFacts } from "../core/hop-watch.ts";
import type { ConnectionOptions } from "./client/connection-options.ts";

/** The destination of bytes; a `node:net` socket satisfies it. */
export interface Wire {
  /** Bytes not sent yet. */
  readonly writableLength: number;
  /** Writes bytes. False means that the writer should wait until the watch is notified that they have been sent. */
  write(bytes: Uint8Array | string, encoding?: "latin1"): boolean;
  /** Collects writes until `uncork` sends them together. */
  cork(): void;
  uncork(): void;
  /**
   * Collects writes until the end of this turn of the event loop. Absent on wires where that saves nothing.
   *
   * @returns true while there is room for more, whatever `write` returns
   */
  gather?(): boolean;
  pause(): unknown;
  resume(): unknown;
  /** Whether the connection keeps the process running. */
  ref(): unknown;
  unref(): unknown;
  destroy(): unknown;
  /** Makes the failure for a request that has timed out, if the wire knows what it was waiting for. */
  explainEnd?(reason: unknown): unknown;
}

/** A connection of a caller. */
export interface CallerWire extends Wire {
  /** A number that changes whenever the system has taken more bytes. */
  readonly takenBytes: number;
  /**
   * Sends the remaining bytes and closes the sending side. Closes the whole connection once the peer has closed its side.
   *
   * @param isWhole true to close the whole connection right after sending, because nothing more is wanted from the peer
   */
  finish(isWhole: boolean): void;
  /** Cuts the connection where a clean end would look like the end of a body: with a reset, if the runtime has one. */
  cut(): void;
}

/** The listener of a connection. */
export interface WireWatch {
  /** TCP is connected, and the TLS handshake follows. Not called for plain connections, which only call `onOpen`. */
  onConnected?(): void;
  /**
   * The connection can be written to. With TLS the certificate has been checked, and no byte has been sent.
   *
   * @param readTls tells its TLS, which may be expensive; absent without TLS, and where the runtime does not know it
   */
  onOpen(readTls?: () => TlsFacts): void;
  /** Takes received bytes. Their memory is not reused: it belongs to the watch from now on. */
  onBytes(bytes: Buffer): void;
  onDrain(): void;
  /**
   * The peer has reset the connection, so nothing more can be sent. Without this method, the reset ends the connection.
   *
   * @returns true to read on: what the peer sent before the reset is wanted, and `onClose` with a failure follows
   */
  onWriteFailed?(): boolean;
  /** Nothing more arrives; there is no failure if the peer ended cleanly. May be called more than once. */
  onClose(failure?: Error): void;
}

/** Makes a connection. */
export type Connect<W extends Wire = Wire> = (
  options: ConnectionOptions,
  isSecure: boolean,
  watch: WireWatch,
) => W;

/**
 * The failure of a connection that closed without a reason. All connections share one object: creating an error, with its
 * stack, takes a hundredth of the time of a new connection.
 */
export const CLOSED: Error = Object.freeze(Object.assign(new Error("closed"), { code: "ECONNRESET" }));
