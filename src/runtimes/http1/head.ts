/**
 * Formats request heads and parses response heads of HTTP/1.1.
 *
 * Strict wherever two readers could disagree about the end of a message (RFC 9112 §11).
 * @module
 */

import type { Buffer } from "node:buffer";
import { Fields } from "../../http/fields.ts";
import type { Outgoing } from "../../exchange/runtime.ts";
import { ProxyError } from "../../http/error.ts";

/** A field line as it may leave: a token, and no control byte in the value (RFC 9110 §5). */
const FIELD_LINE = /^[!#$%&'*+\-.^`|~\w]+: [\t\x20-\x7e\x80-\xff]*$/;
const METHOD = /^[!#$%&'*+\-.^`|~\w]+$/;
const PATH = /^[\x21-\x7e]+$/;
const STATUS_LINE = /^HTTP\/1\.([01]) (\d\d\d)(?: ([^\r\n]*))?(?:\r\n|$)/;
/** What a server can write; nobody needs the rest of a reason (RFC 9112 §4). */
const REASON = /^[\t\x20-\x7e\x80-\xff]*$/;
/** No white space before the colon, and no line that goes on with the one before (RFC 9112 §5.1, §5.2). */
const FIELD_LINES = /^(?:[!#$%&'*+\-.^`|~\w]+:[\t\x20-\x7e\x80-\xff]*(?:\r\n|$))*$/;

/** Heads of answers up to this many bytes are read. */
const MAX_HEAD_BYTES = 65_536;
/** So many fields may be in one: for thousands the `Headers` of Deno (2.9) and Bun (1.4) take quadratic time. */
const MAX_FIELDS = 1_000;
/** Nearly all have fewer, and there is no need to read on in what follows them. */
const USUAL_HEAD_BYTES = 2_048;
const HEAD_END = "\r\n\r\n";
const CARRIAGE_RETURN = 13;

/** What the head of an answer says. */
export interface AnswerHead {
  /** False for HTTP/1.0. */
  isCurrent: boolean;
  status: number;
  reason: string;
  headers: Fields;
}

/** The error of an answer that HTTP does not allow. */
export function malformed(what: string): Error {
  return Object.assign(new Error(`malformed answer: ${what}`), { code: "HPE_INVALID_ANSWER" });
}

/**
 * The head of a request as it goes on the wire, in Latin-1.
 *
 * @param framing the field line that says how long the body is, where `headers` don't; with its line end
 * @throws {ProxyError} `bad_request` for what would be read as something else than it is: not every server refuses it
 */
export function formatHead({ method, path, headers }: Outgoing, framing: string): string {
  if (!METHOD.test(method) || !PATH.test(path)) throw unsendable("the request line");
  let head = `${method} ${path} HTTP/1.1\r\n`;
  headers.forEach((value, name) => {
    const line = `${name}: ${value}`;
    if (!FIELD_LINE.test(line)) throw unsendable(`header ${name}`);
    head += `${line}\r\n`;
  });
  return `${head}${framing}\r\n`;
}

function unsendable(what: string): ProxyError {
  return new ProxyError("bad_request", `Cannot send ${what}: it is malformed, expected no control bytes`);
}

/**
 * Reads the head of an answer off what has come; `undefined` while its end is still to come.
 *
 * @throws {Error} for everything that is not HTTP/1, or is too large
 */
export function readHead(bytes: Buffer): { head: AnswerHead; size: number } | undefined {
  const text = readText(bytes);
  if (text !== undefined) return { head: parseHead(text), size: text.length + HEAD_END.length };
  if (bytes.length > MAX_HEAD_BYTES) throw tooLarge();
  // Whoever does not speak HTTP may never come to the end of a head.
  if (!looksLikeHttp(bytes)) throw malformed("status line");
  return undefined;
}

function tooLarge(): Error {
  return Object.assign(new Error("head too large"), { code: "HPE_HEADER_OVERFLOW" });
}

/** The head in Latin-1, without its end. */
function readText(bytes: Buffer): string | undefined {
  for (const size of [USUAL_HEAD_BYTES, MAX_HEAD_BYTES]) {
    const text = bytes.toString("latin1", 0, size + HEAD_END.length);
    const end = text.indexOf(HEAD_END);
    if (end >= 0) return text.slice(0, end);
    if (bytes.length <= size) break;
  }
  return undefined;
}

function looksLikeHttp(bytes: Buffer): boolean {
  const feed = bytes.indexOf("\n");
  return "HTTP/1.".startsWith(bytes.toString("latin1", 0, 7)) &&
    (feed < 0 || bytes[feed - 1] === CARRIAGE_RETURN);
}

/**
 * Reads the text of a head, without the empty line that ends it.
 *
 * @throws {Error} for everything that is not HTTP/1
 */
export function parseHead(text: string): AnswerHead {
  const [statusLine = "", minor, status, phrase = ""] = STATUS_LINE.exec(text) ?? [];
  if (!status) throw malformed("status line");
  const fields = text.slice(statusLine.length);
  checkFields(fields);
  const reason = REASON.test(phrase) ? phrase : "";
  return { isCurrent: minor === "1", status: Number(status), reason, headers: readFields(fields) };
}

/**
 * Checks field lines, of a head or of trailers.
 *
 * @throws {Error} for those that HTTP does not allow
 */
export function checkFields(lines: string): void {
  if (!FIELD_LINES.test(lines)) throw malformed("field line");
}

/** One pass over lines that are known to be valid: all the answers of all the targets come through here. */
function readFields(text: string): Fields {
  const fields = new Fields();
  for (let at = 0; at < text.length;) {
    const feed = text.indexOf("\r\n", at);
    const end = feed < 0 ? text.length : feed;
    const colon = text.indexOf(":", at);
    fields.append(text.slice(at, colon).toLowerCase(), trim(text, colon + 1, end));
    at = end + 2;
  }
  if (fields.lines.length > 2 * MAX_FIELDS) throw tooLarge();
  return fields;
}

/** Without the white space of HTTP around it, which is less than that of JavaScript (RFC 9110 §5.6.3). */
function trim(text: string, start: number, end: number): string {
  let from = start;
  let to = end;
  while (from < to && isWhite(text.charCodeAt(from))) from += 1;
  while (from < to && isWhite(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

function isWhite(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
