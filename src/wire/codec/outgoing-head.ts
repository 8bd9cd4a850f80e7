/**
 * Formats HTTP/1.1 request heads (RFC 9112 §3, §5).
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Outgoing } from "../../core/runtime.ts";
import { ProxyError } from "../../core/http/error.ts";
import {
  Derived,
  type FieldReader,
  Fields,
  type KeptFields,
  linesOf,
  nameOf,
} from "../../core/http/fields.ts";
import { isField, isKnownToken, USUAL_HEAD_BYTES } from "./head.ts";
import { encodeLatin1, ownCopy } from "./buffers.ts";

const PATH = /^[\x21-\x7e]+$/;

/**
 * Formats the head of a request for the wire, in Latin-1: as text, or as bytes once the same head is sent again.
 *
 * @param framing the field line for the body's framing, including the line end; empty if `headers` contain it
 * @throws {ProxyError} `bad_request` for a malformed request line or field, because some servers would misread it
 */
export function formatHead({ method, path, headers }: Outgoing, framing: string): string | Buffer {
  const kept = KEPT.recall(headers);
  const isSame = kept?.path === path && kept.method === method && kept.framing === framing;
  if (isSame && kept.bytes) return kept.bytes;
  if (!isKnownToken(method) || !PATH.test(path)) throw unsendable("the request line");
  const lines = kept?.lines ?? formatShape(headers) ?? formatLines(headers);
  const text = `${method} ${path} HTTP/1.1\r\n${lines}${framing}\r\n`;
  if (kept && text.length <= USUAL_HEAD_BYTES) {
    kept.bytes = isSame ? ownCopy(encodeLatin1(text)) : undefined;
    kept.method = method;
    kept.path = path;
    kept.framing = framing;
  }
  return text;
}

/** The formatted lines of repeated headers, and the other parts of the last head that used them. */
interface KeptHead extends Pick<Outgoing, "method" | "path"> {
  readonly lines: string;
  framing: string;
  /** The whole head as bytes, if it was sent twice in a row. */
  bytes: Buffer | undefined;
}

const KEPT = new Derived<KeptHead>();

function formatLines(headers: FieldReader): string {
  let lines = "";
  headers.forEach((value, lowerName, written) => {
    const name = nameOf(lowerName, written);
    if (!isField(name, value)) throw unsendable(`header ${name}`);
    lines += `${name}: ${value}\r\n`;
  });
  KEPT.keep(headers, { lines, method: "", path: "", framing: "", bytes: undefined });
  return lines;
}

/** Formats fields that differ from kept ones in free values alone; these are well-formed. `undefined` for other fields. */
function formatShape(headers: FieldReader): string | undefined {
  if (!(headers instanceof Fields) || !headers.shape) return undefined;
  const { lines, shape } = headers;
  let pieces = PIECES.recall(shape);
  if (!pieces) PIECES.keep(shape, pieces = formatPieces(shape));
  let text = pieces[0]!;
  for (let at = 0; at < shape.at.length; at += 1) text += lines[shape.at[at]!]! + pieces[at + 1]!;
  return text;
}

/** The formatted lines of a shape: what is before, between and after its free values. */
const PIECES = new Derived<readonly string[]>();

function formatPieces(shape: KeptFields): string[] {
  const pieces = [""];
  linesOf(shape).forEach(([name, value], at) => {
    if (!isField(name, value)) throw unsendable(`header ${name}`);
    pieces.push(`${pieces.pop()}${name}: ${value}`);
    if (shape.at.includes(2 * at + 1)) pieces.push("");
    pieces.push(`${pieces.pop()}\r\n`);
  });
  return pieces;
}

function unsendable(what: string): ProxyError {
  return new ProxyError("bad_request", `Cannot send ${what}: it is malformed, expected no control bytes`);
}
