/**
 * Parses request heads of HTTP/1.1 (RFC 9112 §3, §5, §6).
 *
 * Strict wherever two readers could see different requests: then the request is refused, and the connection ends.
 * @module
 */

import { Buffer } from "node:buffer";
import { dropDefaultPort } from "../../core/address/authority.ts";
import { ProxyError } from "../../core/http/error.ts";
import { Fields, KeptFields } from "../../core/http/fields.ts";
import { memoize } from "../../core/http/memo.ts";
import { areFieldLines, readFields } from "../codec/head.ts";

/** Maximum fields of a head: what reads them looks through all. */
const MAX_FIELDS = 1_000;
/** How many sets of field lines are kept; long ones are not. */
const MAX_KEPT = 256;
const REQUEST_LINE = /^([!#$%&'*+\-.^`|~\w]+) ([\x21-\x7e\x80-\xff]+) HTTP\/1\.([01])(?:\r\n|$)/;
/** A request line of another version, which is refused as such. */
const OTHER_VERSION = /^[!#$%&'*+\-.^`|~\w]+ [\x21-\x7e\x80-\xff]+ HTTP\/\d+(?:\.\d+)?(?:\r\n|$)/;
const BEYOND_ASCII = /[\x80-\xff]/;
/** It may have leading zeros (RFC 9110 §8.6). */
const LENGTH = /^0*\d{1,15}$/;

/** A request head, as received. */
export interface RequestHead {
  readonly method: string;
  /** The request target: a path, an absolute address, or `*`. */
  readonly url: string;
  /** False for HTTP/1.0. */
  readonly isCurrent: boolean;
  readonly headers: Fields;
  /** The field lines as they stood on the wire, line ends included. */
  readonly fieldLines: string;
}

/** How the body is framed: its bytes, or chunks. */
export type Framing = number | "chunked";

/**
 * Parses the text of a head, without the empty line that ends it.
 *
 * @throws {ProxyError} `bad_request` or `fields_too_large`
 */
export function parseRequestHead(text: string): RequestHead {
  const line = parseLine(text);
  const fieldLines = text.slice(line[0].length);
  return createHead(line, parseFields(fieldLines), fieldLines);
}

/** A request line: with its end, then method, target, and minor version. */
type RequestLine = readonly [all: string, method: string, target: string, minor: string];

/**
 * Parses the request line that a text begins with.
 *
 * @throws {ProxyError} `bad_request`
 */
export function parseLine(text: string): RequestLine {
  const line = REQUEST_LINE.exec(text);
  if (!line) throw malformedLine(text);
  return line as unknown as RequestLine;
}

/**
 * Makes the head of a request line and its fields.
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
  // Two hosts: the core refuses the request.
  const known = other === undefined ? headers : new Fields([...headers, ["host", other]]);
  return { method, url, isCurrent, headers: isCurrent ? known : dropUpgrade(known), fieldLines };
}

/** HTTP/1.0 has no protocol upgrade, so the field must be ignored there (RFC 9110 §7.8). */
function dropUpgrade(headers: Fields): Fields {
  if (!headers.has("upgrade")) return headers;
  const known = new Fields(headers);
  known.delete("upgrade");
  return known;
}

/** Clients send the same fields again and again, so the last few are kept with what was derived from them. */
const parseFields = memoize((fieldLines): Fields => {
  if (!areFieldLines(fieldLines)) throw malformed("a header field");
  const headers = readFields(fieldLines);
  if (headers.lines.length > 2 * MAX_FIELDS) throw tooLarge();
  joinCookies(headers);
  return new KeptFields(headers);
}, MAX_KEPT);

/** Several lines of Cookie become one: joined by commas, as all other fields are, they would not be cookies (RFC 9113 §8.2.3). */
function joinCookies(headers: Fields): void {
  const { lines } = headers;
  const first = lines.indexOf("cookie");
  if (first < 0 || lines.indexOf("cookie", first + 1) < 0) return;
  const values = lines.filter((_, at) => at % 2 === 1 && lines[at - 1] === "cookie");
  if (values.length > 1) headers.set("cookie", values.join("; "));
}

/** Bytes beyond ASCII, which some clients send, must be UTF-8. */
function decodeTarget(target: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(target, "latin1"));
  } catch {
    throw malformed("the request target", "ASCII or UTF-8");
  }
}

/** The host of an absolute target if it is another one than that of the Host field (RFC 9112 §3.2). */
export function readOtherHost(url: string, host: string): string | undefined {
  if (url.startsWith("/")) return undefined;
  const [, scheme = "", named] = /^(\w+:\/\/)([^/?#]*)/.exec(url) ?? [];
  const write = (authority: string) => dropDefaultPort((scheme + authority).toLowerCase());
  return named && write(named) !== write(host) ? named : undefined;
}

/**
 * Decides how the body is framed.
 *
 * @throws {ProxyError} `bad_request` if a reader before or behind this one could see another end (RFC 9112 §6.1, §11.2)
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

/** What is said of a transfer coding in a message of another version. */
export const OLD_CODING =
  "Cannot take the request: HTTP/1.0 has no Transfer-Encoding, expected Content-Length or HTTP/1.1";

function malformedLine(text: string): ProxyError {
  return OTHER_VERSION.test(text)
    ? malformed("the version of the request", "HTTP/1.1")
    : malformed("the request line");
}

/** Refuses a part of a head. */
export function malformed(what: string, expected = "HTTP/1.1"): ProxyError {
  return new ProxyError("bad_request", `Cannot read ${what}: it is malformed, expected ${expected}`);
}

/** Refuses a head of too many bytes or fields. */
export function tooLarge(): ProxyError {
  const message = "Cannot take the request: its head is too large (limits 1 MiB and 1,000 fields)";
  return new ProxyError("fields_too_large", message);
}
