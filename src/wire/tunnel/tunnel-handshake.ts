/**
 * What opens a tunnel: bytes to the proxy and back, until the next ones are the target's.
 * @module
 */

import type { Buffer } from "node:buffer";

/** One opening of a tunnel. */
export interface Handshake {
  /** The first bytes to send. */
  readonly opening: Uint8Array;
  /**
   * Takes bytes from the proxy.
   *
   * @throws {ProxyError} if it refuses, or answers with what its protocol does not know
   */
  read(bytes: Buffer): Progress;
}

/** What follows from the bytes so far; empty while an answer is incomplete. */
export interface Progress {
  /** Bytes to send next. */
  reply?: Uint8Array;
  /** Present once the tunnel is open: its first bytes. */
  rest?: Buffer;
}
