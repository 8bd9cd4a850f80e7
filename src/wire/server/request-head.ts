/**
 * Parses HTTP/1.1 request heads (RFC 9112 §3, §5, §6).
 *
 * Strict wherever two parsers could see different requests: such a request is refused, and the connection ends.
 * @module
 */

import { Buffer } from "node:buffer";
import { dropDefaultPort } from "../../core/address/authority.ts";
import { ProxyError } from "../../core/http/error.ts";
import { Fields, KeptFields } from "../../core/http/fields.ts";
import { copyText } from "../../core/http/memo.ts";
import { areFieldLines, readFields } from "../codec/head.ts";

/** Maximum fields of a head, because each field look-up scans all of them. */
const MAX_FIELDS = 1_000;
/** Maximum number of sets of field lines that connections share, twice: those in use and those of before. */
const MAX_KEPT = 256;
/** Maximum characters of a set that is shared. */
const LONGEST_KEPT = 1_000;
const REQUEST_LINE = /^([!#$%&'*+\-.^`|~\w]+) ([\x21-\x7e\x80-\xff]+) HTTP\/1\.([01])(?:\r\n|$)/;
/** A request line of another HTTP version, which gets an error of its own. */
const OTHER_VERSION = /^[!#$%&'*+\-.^`|~\w]+ [\x21-\x7e\x80-\xff]+ HTTP\/\d+(?:\.\d+)?(?:\r\n|$)/;
const BEYOND_ASCII = /[\x80-\xff]/;
/** A length may have leading zeros (RFC 9110 §8.6). */
const LENGTH = /^0*\d{1,15}$/;

/** A request head, as received. */
export interface RequestHead {
  readonly method: string;
  /** The request target: a path, an absolute address, or `*`. */
  readonly url: string;
  /** False for HTTP/1.0. */
  readonly isCurrent: boolean;
  readonly headers: Fields;
  /** The field lines as received, including line ends. */
  readonly fieldLines: string;
}

/** How the body is framed: its length in bytes, or chunks. */
export type Framing = number | "chunked";

/**
 * Parses the text of a head, without the empty line that ends it.
 *
 * @param known reads field lines that are known but for some values; tried first
 * @throws {ProxyError} `bad_request` or `fields_too_large`
 */
export function parseRequestHead(
  text: string,
  known?: { read(fieldLines: string): Fields | undefined },
): RequestHead {
  const line = parseLine(text);
  const fieldLines = text.slice(line[0].length);
  const headers = known?.read(fieldLines) ?? recallFields(fieldLines) ?? parseFields(fieldLines);
  return createHead(line, headers, fieldLines);
}

/** A parsed request line: the whole line with its line end, then method, target and minor version. */
type RequestLine = readonly [all: string, method: string, target: string, minor: string];

/**
 * Parses the request line at the beginning of a text.
 *
 * @throws {ProxyError} `bad_request`
 */
export function parseLine(text: string): RequestLine {
  const line = REQUEST_LINE.exec(text);
  if (!line) throw malformedLine(text);
  return line as unknown as RequestLine;
}

/**
 * Makes a request head from a request line and its fields.
 *
 * @throws {ProxyError} `bad_request`
 */
export function createHead(
  [, method, target, minor]: RequestLine,
  headers: Fields,
  fieldLines: string,
): RequestHead {
  const url = BEYOND_ASCII.test(target) ? decodeTarget(target) : target;
  const isCurrent = minor === "1";
  const host = headers.get("host");
  if (isCurrent && host === null) throw malformed("a request without Host", "one Host field");
  const other = readOtherHost(url, host ?? "");
  // With two Host values, the core refuses the request.
  const known = other === undefined ? headers : new Fields([...headers, ["host", other]]);
  return { method, url, isCurrent, headers: isCurrent ? known : dropUpgrade(known), fieldLines };
}

/** HTTP/1.0 has no protocol upgrade, so a server must ignore the field there (RFC 9110 §7.8). */
function dropUpgrade(headers: Fields): Fields {
  if (!headers.has("upgrade")) return headers;
  const known = new Fields(headers);
  known.delete("upgrade");
  return known;
}

/**
 * Parses the field lines of a request.
 *
 * @throws {ProxyError} `bad_request` or `fields_too_large`
 */
export function parseFields(fieldLines: string): Fields {
  if (!areFieldLines(fieldLines)) throw malformed("a header field");
  const headers = readFields(fieldLines);
  if (headers.lines.length > 2 * MAX_FIELDS) throw tooLarge();
  joinCookies(headers);
  return headers;
}

/**
 * The fields of lines that a connection repeats, well-formed ones. Connections with the same lines share the object, and so
 * what was derived from it; a new connection from its first request on.
 */
export function keepFields(fieldLines: string): KeptFields {
  const found = kept.get(fieldLines);
  if (found) return found;
  const fields = older.get(fieldLines) ?? new KeptFields(parseFields(fieldLines));
  if (fieldLines.length > LONGEST_KEPT) return fields;
  if (kept.size >= MAX_KEPT) [older, kept] = [kept, new Map()];
  kept.set(copyText(fieldLines), fields);
  return fields;
}

let kept = new Map<string, KeptFields>();
/** Those of before the last `MAX_KEPT`, so that what is in use is not forgotten for the others. */
let older = kept;

function recallFields(fieldLines: string): KeptFields | undefined {
  return fieldLines.length > LONGEST_KEPT ? undefined : kept.get(fieldLines) ?? older.get(fieldLines);
}

/** Joins Cookie lines with semicolons: joined by commas, as other fields are, they would be invalid (RFC 9113 §8.2.3). */
function joinCookies(headers: Fields): void {
  const { lines } = headers;
  const first = lines.indexOf("cookie");
  if (first < 0 || lines.indexOf("cookie", first + 1) < 0) return;
  const values = lines.filter((_, at) => at % 2 === 1 && lines[at - 1] === "cookie");
  if (values.length > 1) headers.set("cookie", values.join("; "));
}

/** Decodes a target with bytes beyond ASCII, which some clients send. They must be UTF-8. */
function decodeTarget(target: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(target, "latin1"));
  } catch {
    throw malformed("the request target", "ASCII or UTF-8");
  }
}

/** The host in an absolute request target, if it differs from the Host field; else `undefined` (RFC 9112 §3.2). */
export function readOtherHost(url: string, host: string): string | undefined {
  if (url.startsWith("/")) return undefined;
  const [, scheme = "", named] = /^(\w+:\/\/)([^/?#]*)/.exec(url) ?? [];
  const write = (authority: string) => dropDefaultPort((scheme + authority).toLowerCase());
  return named && write(named) !== write(host) ? named : undefined;
}

/**
 * Determines how the body is framed.
 *
 * @throws {ProxyError} `bad_request` if a parser before or after this one could see a different end (RFC 9112 §6.1, §11.2)
 */
export function readFraming({ headers, isCurrent }: RequestHead): Framing {
  const coding = headers.get("transfer-encoding");
  const length = headers.get("content-length");
  if (coding === null) {
    if (length === null) return 0;
    if (!LENGTH.test(length)) throw malformed("header content-length", "one number");
    return Number(length);
  }
  if (!isCurrent) throw new ProxyError("bad_request", OLD_CODING);
  if (length !== null) {
    throw malformed("a body with both Content-Length and Transfer-Encoding", "one of them");
  }
  if (coding.toLowerCase() === "chunked") return "chunked";
  throw new ProxyError(
    "bad_request",
    "Cannot forward the body: its transfer coding is not supported, expected Transfer-Encoding: chunked",
  );
}

/** The error message for a transfer coding in an HTTP/1.0 request. */
export const OLD_CODING =
  "Cannot take the request: HTTP/1.0 has no Transfer-Encoding, expected Content-Length or HTTP/1.1";

function malformedLine(text: string): ProxyError {
  return OTHER_VERSION.test(text)
    ? malformed("the version of the request", "HTTP/1.1")
    : malformed("the request line");
}

/** The error for a malformed part of a head. */
export function malformed(what: string, expected = "HTTP/1.1"): ProxyError {
  return new ProxyError("bad_request", `Cannot read ${what}: it is malformed, expected ${expected}`);
}

/** The error for a head with too many bytes or fields. */
export function tooLarge(): ProxyError {
  const message = "Cannot take the request: its header section is too large (limits 1 MiB and 1,000 fields)";
  return new ProxyError("fields_too_large", message);
}
