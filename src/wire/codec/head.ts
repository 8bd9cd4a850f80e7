/**
 * Parses HTTP/1.1 response heads.
 *
 * Strict where two parsers could disagree about the end of a message (RFC 9112 §11).
 * @module
 */

import type { Buffer } from "node:buffer";
import { Fields } from "../../core/http/fields.ts";
import { isFieldValue, isToken } from "../../core/http/headers.ts";
import { memoize } from "../../core/http/memo.ts";

const STATUS_LINE = /^HTTP\/1\.([01]) (\d\d\d)(?: ([^\r\n]*))?(?:\r\n|$)/;
/** No white space before the colon, and no folded lines (RFC 9112 §5.1, §5.2). */
const FIELD_LINES = /^(?:[!#$%&'*+\-.^`|~\w]+:[\t\x20-\x7e\x80-\xff]*(?:\r\n|$))*$/;

/** Maximum bytes of a response head. */
const MAX_HEAD_BYTES = 65_536;
/** Maximum fields in a head: with thousands, `Headers` takes quadratic time on Deno (2.9) and Bun (1.4). */
const MAX_FIELDS = 1_000;
/** Almost all heads are shorter than this many bytes, so only this much is decoded first. */
export const USUAL_HEAD_BYTES = 2_048;
/** The line ends that finish a head. */
export const HEAD_END = "\r\n\r\n";
/** Maximum bytes of empty lines before a head. */
const MAX_EMPTY_BYTES = 16;
const VERSION = "HTTP/1.";
const CARRIAGE_RETURN = 13;
const LINE_FEED = 10;
const BARE_FEED = /[^\r]\n/;
const LOOSE_END = /\r?\n\r?\n/;
const LOOSE_LINE_END = /\r?\n/g;

/** The parsed head of a response. */
export interface ResponseHead {
  /** False for HTTP/1.0. */
  isCurrent: boolean;
  status: number;
  reason: string;
  headers: Fields;
}

/** Makes the error for a malformed response. */
export function malformed(what: string): Error {
  return Object.assign(new Error(`malformed response: ${what}`), { code: "HPE_INVALID_ANSWER" });
}

/** True for a field that is well-formed and may be sent: the name is a token, and the value has no control byte. */
export function isField(name: string, value: string): boolean {
  return isKnownToken(name) && isFieldValue(value);
}

/** Like `isToken`, with a cache, because the same few names come with every message. */
export const isKnownToken: (text: string) => boolean = memoize(isToken);

/**
 * Reads a response head from the received bytes, after any empty lines; `undefined` while it is incomplete. A bare line feed
 * also ends a line (RFC 9112 §2.2).
 *
 * @param from how many of the bytes were read before, and were incomplete: a head may come byte by byte
 * @throws {Error} if it is not HTTP/1 or is too large
 */
export function readHead(bytes: Buffer, from = 0): ReadHead | undefined {
  const isBegun = from >= MAX_EMPTY_BYTES + VERSION.length && bytes.length <= MAX_HEAD_BYTES;
  if (isBegun && !hasEmptyLine(bytes, from)) return undefined;
  const start = skipEmptyLines(bytes);
  if (start > MAX_EMPTY_BYTES) throw malformed("status line");
  // Only the first half of an empty line has arrived.
  if (bytes.length === start + 1 && bytes[start] === CARRIAGE_RETURN) return undefined;
  const read = readText(start > 0 ? bytes.subarray(start) : bytes);
  return read && { head: parseHead(read.text), size: start + read.size, text: read.text };
}

/** True if an empty line ends behind this offset. */
function hasEmptyLine(bytes: Buffer, from: number): boolean {
  return bytes.includes("\n\r\n", from - 2) || bytes.includes("\n\n", from - 1);
}

function skipEmptyLines(bytes: Buffer): number {
  let start = 0;
  for (;;) {
    const feed = bytes[start] === CARRIAGE_RETURN ? start + 1 : start;
    if (bytes[feed] !== LINE_FEED) return start;
    start = feed + 1;
  }
}

/** A head that was read. `size` is its length in bytes, with empty lines before it and the one that ends it. */
export interface ReadHead {
  readonly head: ResponseHead;
  readonly size: number;
  /** The lines of the head, without the empty line that ends it. */
  readonly text: string;
}

function tooLarge(): Error {
  return Object.assign(new Error("header section too large"), { code: "HPE_HEADER_OVERFLOW" });
}

/**
 * The head as Latin-1 text without the empty line, and the size of both in bytes; `undefined` while it is incomplete.
 *
 * @throws {Error} if the bytes can't become an HTTP/1 head, or are too many
 */
function readText(bytes: Buffer): { text: string; size: number } | undefined {
  for (const size of [USUAL_HEAD_BYTES, MAX_HEAD_BYTES]) {
    const text = bytes.toString("latin1", 0, size + HEAD_END.length);
    const end = text.indexOf(HEAD_END);
    const head = end < 0 ? text : text.slice(0, end);
    if (BARE_FEED.test(head)) {
      return readLoosely(bytes.toString("latin1", 0, MAX_HEAD_BYTES + HEAD_END.length));
    }
    if (end >= 0) return { text: head, size: end + HEAD_END.length };
    if (bytes.length <= size) break;
  }
  // Of the longest head, all but the last bytes of its end may be there.
  if (bytes.length > MAX_HEAD_BYTES && !HEAD_END.startsWith(bytes.toString("latin1", MAX_HEAD_BYTES))) {
    throw tooLarge();
  }
  // A server that does not speak HTTP may never send the end of a head.
  if (!looksLikeHttp(bytes)) throw malformed("status line");
  return undefined;
}

/** Reads a head that contains bare line feeds, and converts them to CRLF. */
function readLoosely(text: string): { text: string; size: number } | undefined {
  const end = LOOSE_END.exec(text);
  if (end) {
    return {
      text: text.slice(0, end.index).replace(LOOSE_LINE_END, "\r\n"),
      size: end.index + end[0].length,
    };
  }
  if (text.length > MAX_HEAD_BYTES) throw tooLarge();
  if (!text.startsWith(VERSION)) throw malformed("status line");
  return undefined;
}

function looksLikeHttp(bytes: Buffer): boolean {
  return VERSION.startsWith(bytes.toString("latin1", 0, VERSION.length));
}

/**
 * Parses the text of a head, without the empty line that ends it.
 *
 * @throws {Error} if it is not HTTP/1
 */
export function parseHead(text: string): ResponseHead {
  const [statusLine = "", minor, status, phrase = ""] = STATUS_LINE.exec(text) ?? [];
  if (!status) throw malformed("status line");
  const fields = text.slice(statusLine.length);
  checkFields(fields);
  // A malformed reason phrase is dropped, because clients should ignore it (RFC 9112 §4).
  const reason = isFieldValue(phrase) ? phrase : "";
  const headers = readFields(fields);
  if (headers.lines.length > 2 * MAX_FIELDS) throw tooLarge();
  return { isCurrent: minor === "1", status: Number(status), reason, headers };
}

/**
 * Checks the field lines of a head or of trailers.
 *
 * @throws {Error} if one is malformed
 */
export function checkFields(lines: string): void {
  if (!areFieldLines(lines)) throw malformed("field line");
}

/** True for well-formed field lines of a request or response, and for an empty text. */
export function areFieldLines(lines: string): boolean {
  return FIELD_LINES.test(lines);
}

/** Parses well-formed lines in one pass, because every message passes through here. */
export function readFields(text: string): Fields {
  const fields = new Fields();
  for (let at = 0; at < text.length;) {
    const feed = text.indexOf("\r\n", at);
    const end = feed < 0 ? text.length : feed;
    const colon = text.indexOf(":", at);
    const written = text.slice(at, colon);
    fields.append(lowerCase(written), trim(text, colon + 1, end), written);
    at = end + 2;
  }
  return fields;
}

const lowerCase = memoize((name) => name.toLowerCase());

/** Trims HTTP white space, which has fewer characters than JavaScript's (RFC 9110 §5.6.3). */
export function trim(text: string, start: number, end: number): string {
  let from = start;
  let to = end;
  while (from < to && isWhite(text.charCodeAt(from))) from += 1;
  while (from < to && isWhite(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

function isWhite(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
