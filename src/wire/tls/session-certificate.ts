/**
 * Takes the certificate out of a TLS session. Node (20) would read it, twice, for each connection that resumes it. Node
 * (24.21) puts other bytes in front of a session; such a one stays as it is.
 * @module
 */

import { Buffer } from "node:buffer";

/** What the bytes of a session are: OpenSSL's `SSL_SESSION` in DER, whose element `[3]` is the target's certificate. */
const SEQUENCE = 0x30;
const CERTIFICATE = 0xa3;

/** A DER element, as offsets: its identifier is at `start`, what it holds from `content` to `end` (ITU-T X.690 §8.1). */
interface Element {
  readonly start: number;
  readonly content: number;
  readonly end: number;
}

/**
 * The session without the certificate, for TLS 1.3 alone: with TLS 1.2 Node wants to see one. To resume it shows that the
 * target is the one whose certificate was checked; one that doesn't resume must show a certificate again (RFC 8446 §2.2).
 *
 * @param session as `node:tls` gives it
 * @returns memory of its own; the session itself if it has no certificate, or another form
 */
export function withoutCertificate(session: Buffer): Buffer {
  const whole = readElement(session, 0);
  if (whole?.end !== session.length || session[0] !== SEQUENCE) return session;
  const certificate = findCertificate(session, whole);
  if (!certificate) return session;
  const before = session.subarray(whole.content, certificate.start);
  const after = session.subarray(certificate.end);
  const length = before.length + after.length;
  const head = [SEQUENCE, ...lengthOf(length)];
  const rest = Buffer.alloc(head.length + length);
  rest.set(head);
  rest.set(before, head.length);
  rest.set(after, head.length + before.length);
  return rest;
}

function findCertificate(bytes: Buffer, { content, end }: Element): Element | undefined {
  for (let at = content; at < end;) {
    const element = readElement(bytes, at);
    if (!element || element.end > end) return undefined;
    if (bytes[at] === CERTIFICATE) return element;
    at = element.end;
  }
  return undefined;
}

function readElement(bytes: Buffer, start: number): Element | undefined {
  const first = bytes[start + 1];
  if (first === undefined) return undefined;
  if (first < 0x80) return { start, content: start + 2, end: start + 2 + first };
  // Up to 64 KiB; no session is kept that is longer.
  const size = first - 0x80;
  const content = start + 2 + size;
  if (size < 1 || size > 2 || content > bytes.length) return undefined;
  return { start, content, end: content + bytes.readUIntBE(start + 2, size) };
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}
