/**
 * The events of one request on its way to a target, for capture: types only.
 * @module
 */

import type { Interim } from "./interim.ts";

/** What is public of the certificate that a target showed. The names are its own words: text, without control characters. */
export interface CertificateFacts {
  /** Whom it names, such as `CN=a.test, O=A`, and who signed it; each at most 256 characters. */
  subject: string;
  issuer: string;
  /** When it expires, such as `2030-01-02T03:04:05.000Z`; absent if that can't be read. */
  validTo?: string;
  /** Nobody has vouched for it, and no pin fits: the entry, or the environment, lets every certificate pass. */
  isUnchecked?: true;
}

/** What both sides of a TLS connection agreed upon, by the names of OpenSSL; absent where the runtime does not tell. */
export interface TlsFacts {
  /** `TLSv1.3`. */
  protocol?: string;
  /** `TLS_AES_128_GCM_SHA256`. */
  cipher?: string;
  /** The protocol that the target chose (ALPN, RFC 7301): `http/1.1`; absent if it chose none. */
  alpn?: string;
  certificate?: CertificateFacts;
}

/**
 * Observes a request. Each method except the last two is called at most once per connection, and a request may need two
 * connections; events that do not occur are left out. A target may answer before the last byte of the request was sent.
 *
 * @internal
 */
export interface HopWatch {
  /**
   * The request uses a connection that was already open, with this TLS.
   *
   * @param connection stands for the connection: the same object for each of its requests
   */
  onReused(connection: object, tls?: TlsFacts): void;
  /** A new connection is open; through another proxy, its tunnel. */
  onConnected(connection: object): void;
  /** The TLS handshake with the target is complete. */
  onSecured(tls?: TlsFacts): void;
  /** The last byte of the request was handed to the connection. */
  onSent(): void;
  /** The first byte of the response arrived. */
  onFirstByte(): void;
  /** The version in a status line, of an interim response too: `HTTP/1.1` or `HTTP/1.0`. Called for each of them. */
  onVersion(httpVersion: string): void;
  /** The target sent this interim response, whether or not it is passed on. */
  onInterim(interim: Interim): void;
}
