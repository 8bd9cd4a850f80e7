/**
 * Reads the response heads of one connection, and from each how its body ends. Many  targets repeat the same head, so the
 * last repeated head is kept together with what was derived from it.
 * @module
 */

import type { Buffer } from "node:buffer";
import { isConnectionLogin } from "../../core/http/connection-login.ts";
import { KeptFields } from "../../core/http/fields.ts";
import { type Framing, isBodiless, readFraming } from "../codec/framing.ts";
import { type ReadHead, readHead, type ResponseHead, USUAL_HEAD_BYTES } from "../codec/head.ts";
import { ownCopy } from "../codec/buffers.ts";

/** An idle connection is closed after this many milliseconds, before the five seconds after which many servers close it. */
const KEPT_MS = 4_000;
/** The seconds for which a target keeps the connection, bare or quoted; or its word that no request may follow. */
const HINT = /\b(?:timeout[ \t]*=[ \t]*"?(\d+)|max[ \t]*=[ \t]*"?0+\b)/gi;

/** How the body ends, and how long the connection is kept. */
export interface ResponseEnd {
  /** The framing that the headers declare; it does not apply to a response without a body. */
  readonly framing: Framing;
  /** How long the connection may be kept idle after the response, in milliseconds; 0 if it may not be used again. */
  readonly idleMs: number;
}

/** A head that arrived twice, with its bytes; `end` is computed on first use. */
interface KeptHead extends ReadHead {
  readonly bytes: Buffer;
  end: ResponseEnd | undefined;
}

/** The heads of one connection. */
export class ResponseHeads {
  /** The text of the last head that was parsed. */
  #last: string | undefined;
  #kept: KeptHead | undefined;
  /** True once a response has requested, or continued, a login that applies to the whole connection. */
  hasLogin = false;
  /** True if the last response was HTTP/1.0; `undefined` before the first. */
  isOld: boolean | undefined;

  /**
   * Reads a head from the received bytes; `undefined` while it is incomplete.
   *
   * @param from how many of the bytes were read before, and were incomplete
   * @throws {Error} if it is not HTTP/1 or is too large
   */
  read(bytes: Buffer, from?: number): ReadHead | undefined {
    const kept = this.#kept;
    // The kept bytes end with the first empty line, so a head that begins with the same bytes ends there too.
    if (kept && kept.size <= bytes.length && kept.bytes.compare(bytes, 0, kept.size) === 0) {
      this.isOld = !kept.head.isCurrent;
      return kept;
    }
    const read = readHead(bytes, from);
    if (!read) return undefined;
    const { head, size, text } = read;
    this.isOld = !head.isCurrent;
    this.hasLogin ||= isConnectionLogin(head.headers.get("www-authenticate"));
    const isRepeated = text === this.#last;
    if (size <= USUAL_HEAD_BYTES) this.#last = text;
    if (!isRepeated) return read;
    const own = { ...head, headers: new KeptFields(head.headers) };
    this.#kept = { head: own, size, text, bytes: ownCopy(bytes.subarray(0, size)), end: undefined };
    return this.#kept;
  }

  /**
   * How the body ends, and how long the connection may be kept, according to a head that was read here. A response without a
   * body ends with its head, whatever its fields say (RFC 9112 §6.3).
   *
   * @throws {Error} if there is a body whose framing is ambiguous
   */
  endOf(read: ReadHead, method: string): ResponseEnd {
    if (!isBodiless(read.head, method)) return this.#readEnd(read);
    try {
      return { ...this.#readEnd(read), framing: 0 };
    } catch {
      return { framing: 0, idleMs: 0 };
    }
  }

  #readEnd(read: ReadHead): ResponseEnd {
    const kept = this.#kept;
    return read === kept ? kept.end ??= readEnd(kept.head) : readEnd(read.head);
  }
}

/**
 * Reads the end of a response from its head.
 *
 * @throws {Error} if the framing is ambiguous
 */
function readEnd(head: ResponseHead): ResponseEnd {
  return { framing: readFraming(head.headers), idleMs: readIdle(head) };
}

/**
 * How long the target keeps the connection open, in milliseconds. 0 if the target closes it (RFC 9112 §9.3), or announces
 * a body where none is allowed, which would be read as the next response (RFC 9112 §6.1, RFC 9110 §8.6).
 */
function readIdle({ isCurrent, status, headers }: ResponseHead): number {
  const saysBody = headers.has("transfer-encoding") || Number(headers.get("content-length")) > 0;
  if (status === 204 && saysBody) return 0;
  const options = headers.get("connection")?.toLowerCase() ?? "";
  // HTTP/1.0 has no chunks (RFC 9112 §6.1).
  const isKept = isCurrent || (/\bkeep-alive\b/.test(options) && !headers.has("transfer-encoding"));
  if (!isKept || /\bclose\b/.test(options)) return 0;
  const hints = (headers.get("keep-alive") ?? "").matchAll(HINT);
  const seconds = Array.from(hints, ([, timeout = 0]) => Number(timeout));
  return Math.max(0, Math.min(KEPT_MS, ...seconds.map((one) => (one - 1) * 1000)));
}
