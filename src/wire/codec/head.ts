/**
 * Parses response heads of HTTP/1.1.
 *
 * Strict if two readers could disagree about the end of a message (RFC 9112 §11).
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
/** Maximum fields in a head: with thousands, `Headers` of Deno (2.9) and Bun (1.4) take quadratic time. */
const MAX_FIELDS = 1_000;
/** Almost all heads are shorter, so this much is read first. */
export const USUAL_HEAD_BYTES = 2_048;
/** What ends a head. */
export const HEAD_END = "\r\n\r\n";
/** Maximum bytes of empty lines before a head. */
const MAX_EMPTY_BYTES = 16;
const CARRIAGE_RETURN = 13;
const LINE_FEED = 10;
const BARE_FEED = /[^\r]\n/;
const LOOSE_END = /\r?\n\r?\n/;
const LOOSE_LINE_END = /\r?\n/g;

/** The parsed head of a response. */
export interface AnswerHead {
  /** False for HTTP/1.0. */
  isCurrent: boolean;
  status: number;
  reason: string;
  headers: Fields;
}

/** Makes the error for a malformed response. */
export function malformed(what: string): Error {
  return Object.assign(new Error(`malformed answer: ${what}`), { code: "HPE_INVALID_ANSWER" });
}

/** True for a well-formed field that goes out: a token, and no control byte in the value. */
export function isField(name: string, value: string): boolean {
  return isKnownToken(name) && isFieldValue(value);
}

/** The same few come with every message. */
export const isKnownToken: (text: string) => boolean = memoize(isToken);

/**
 * Reads a response head from the received bytes, behind empty lines; `undefined` while it is incomplete. A bare line feed ends a
 * line, too (RFC 9112 §2.2).
 *
 * @throws {Error} if it is not HTTP/1 or is too large
 */
export function readHead(bytes: Buffer): ReadHead | undefined {
  const start = skipEmptyLines(bytes);
  if (start > MAX_EMPTY_BYTES) throw malformed("status line");
  // Half of an empty line.
  if (bytes.length === start + 1 && bytes[start] === CARRIAGE_RETURN) return undefined;
  const read = readText(start > 0 ? bytes.subarray(start) : bytes);
  return read && { head: parseHead(read.text), size: start + read.size, text: read.text };
}

function skipEmptyLines(bytes: Buffer): number {
  let start = 0;
  for (;;) {
    const feed = bytes[start] === CARRIAGE_RETURN ? start + 1 : start;
    if (bytes[feed] !== LINE_FEED) return start;
    start = feed + 1;
  }
}

/** A head, and its bytes with the empty line that ends it. */
export interface ReadHead {
  readonly head: AnswerHead;
  readonly size: number;
  /** Its lines, without the empty one. */
  readonly text: string;
}

function tooLarge(): Error {
  return Object.assign(new Error("head too large"), { code: "HPE_HEADER_OVERFLOW" });
}

/**
 * The head in Latin-1, without the empty line, and how many bytes both take; `undefined` while it is incomplete.
 *
 * @throws {Error} if it can't become HTTP/1 or is too large
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
  if (bytes.length > MAX_HEAD_BYTES) throw tooLarge();
  // A server that does not speak HTTP may never send the end of a head.
  if (!looksLikeHttp(bytes)) throw malformed("status line");
  return undefined;
}

/** A head with bare line feeds: they become whole line ends. */
function readLoosely(text: string): { text: string; size: number } | undefined {
  const end = LOOSE_END.exec(text);
  if (end) {
    return {
      text: text.slice(0, end.index).replace(LOOSE_LINE_END, "\r\n"),
      size: end.index + end[0].length,
    };
  }
  if (text.length > MAX_HEAD_BYTES) throw tooLarge();
  if (!text.startsWith("HTTP/1.")) throw malformed("status line");
  return undefined;
}

function looksLikeHttp(bytes: Buffer): boolean {
  return "HTTP/1.".startsWith(bytes.toString("latin1", 0, 7));
}

/**
 * Parses the text of a head, without the empty line that ends it.
 *
 * @throws {Error} if it is not HTTP/1
 */
export function parseHead(text: string): AnswerHead {
  const [statusLine = "", minor, status, phrase = ""] = STATUS_LINE.exec(text) ?? [];
  if (!status) throw malformed("status line");
  const fields = text.slice(statusLine.length);
  checkFields(fields);
  // A malformed one is dropped, because nobody needs it (RFC 9112 §4).
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

/** True for well-formed field lines, of requests too; also for none. */
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

/** Trims the white space of HTTP, which has fewer characters than that of JavaScript (RFC 9110 §5.6.3). */
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
