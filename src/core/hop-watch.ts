/**
 * The events of one request on its way to a target, for capture: types only.
 * @module
 */

import type { Interim } from "./interim.ts";

/** What both sides of a TLS connection agreed upon, by the names of OpenSSL; absent where the runtime does not tell. */
export interface TlsFacts {
  /** `TLSv1.3`. */
  protocol?: string;
  /** `TLS_AES_128_GCM_SHA256`. */
  cipher?: string;
}

/**
 * Observes a request. Each method except `onInterim` is called at most once per connection, and a request may need two
 * connections; events that do not occur are left out. A target may answer before the last byte of the request was sent.
 *
 * @internal
 */
export interface HopWatch {
  /** The request uses a connection that was already open, with this TLS. */
  onReused(tls?: TlsFacts): void;
  /** A new connection is open; through another proxy, its tunnel. */
  onConnected(): void;
  /** The TLS handshake with the target is complete. */
  onSecured(tls?: TlsFacts): void;
  /** The last byte of the request was handed to the connection. */
  onSent(): void;
  /** The first byte of the response arrived. */
  onFirstByte(): void;
  /** The target sent this interim response, whether or not it is passed on. */
  onInterim(interim: Interim): void;
}
