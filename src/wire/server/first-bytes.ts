/**
 * Tells TLS from plain http by the first bytes of a connection.
 * @module
 */

/** The type of the record that begins a TLS handshake (RFC 8446 §5.1). No request line begins with it. */
const HANDSHAKE = 0x16;

/** True if a caller of an https listener begins with TLS; what else it says is read as plain http. */
export function speaksTls(first: Uint8Array): boolean {
  return first[0] === HANDSHAKE;
}
