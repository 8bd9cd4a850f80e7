/**
 * Removes the certificate from a TLS session. Node (20) would parse it, twice, for each connection that resumes the session.
 * Node (24.21) puts other bytes in front of a session; such a session stays unchanged.
 * @module
 */

import { Buffer } from "node:buffer";

/** DER tags in a session: it is OpenSSL's `SSL_SESSION`, whose element `[3]` is the target's certificate. */
const SEQUENCE = 0x30;
const CERTIFICATE = 0xa3;

/** Offsets of a DER element: its identifier is at `start`, its content is from `content` to `end` (ITU-T X.690 §8.1). */
interface Element {
  readonly start: number;
  readonly content: number;
  readonly end: number;
}

/**
 * The session without the certificate. For TLS 1.3 only: with TLS 1.2 Node needs the certificate. Resuming proves that the
 * target is the one whose certificate was checked; without resumption it must present one again (RFC 8446 §2.2).
 *
 * @param session as `node:tls` gives it
 * @returns a copy; the session itself if it has no certificate or another format
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
  // Lengths of one or two bytes, up to 64 KiB; longer sessions are not kept anyway.
  const size = first - 0x80;
  const content = start + 2 + size;
  if (size < 1 || size > 2 || content > bytes.length) return undefined;
  return { start, content, end: content + bytes.readUIntBE(start + 2, size) };
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}
