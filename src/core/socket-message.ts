/**
 * A message of a WebSocket as a runtime tells of it, for capture.
 * @module
 */

/**
 * A message that has passed.
 *
 * @internal
 */
export interface SocketMessage {
  from: "caller" | "target";
  kind: "text" | "binary" | "ping" | "pong" | "close";
  /** The first bytes of the payload, unmasked; the watch says how many at most. */
  payload: Uint8Array;
  /** Bytes of the whole payload. */
  size: number;
  /** True if it passes compressed, and is told of as it is (RFC 7692). */
  isCompressed: boolean;
  /** How many came since the last one that was told of: a read had more than the watch wants. */
  skipped: number;
}
