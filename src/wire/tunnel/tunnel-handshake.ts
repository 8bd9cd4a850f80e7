/**
 * The handshake that opens a tunnel: an exchange with the proxy, after which all bytes come from the target.
 * @module
 */

import type { Buffer } from "node:buffer";

/** The handshake for one tunnel. */
export interface Handshake {
  /** The first bytes to send. */
  readonly opening: Uint8Array;
  /**
   * Takes bytes from the proxy.
   *
   * @throws {ProxyError} if the proxy refuses, or breaks its protocol
   */
  read(bytes: Buffer): Progress;
}

/** The result of reading; empty while the proxy's reply is incomplete. */
export interface Progress {
  /** Bytes to send next. */
  reply?: Uint8Array;
  /** Present once the tunnel is open: the first bytes from the target. */
  rest?: Buffer;
}
