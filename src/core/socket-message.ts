/**
 * A WebSocket message as a runtime reports it, for capture.
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
  /** True if the message passes compressed, so that `payload` is compressed too (RFC 7692). */
  isCompressed: boolean;
  /** Messages left out since the last reported one, because one read had more than the watch wants. */
  skipped: number;
}
