/**
 * The shape of a head: its field lines without free values, such as an id of each request. A client's requests often have
 * one shape, so only these values are read.
 * @module
 */

import { type Fields, KeptFields } from "../../core/http/fields.ts";
import { isFieldValue } from "../../core/http/headers.ts";
import { memoize } from "../../core/http/memo.ts";
import { trim } from "../codec/head.ts";
import { parseFields } from "./request-head.ts";

/** Fields that go on as they are, and whose values no decision of the core reads: clients send most of them anew each time. */
const FREE: ReadonlySet<string> = new Set([
  "cookie",
  "idempotency-key",
  ...["x-request-id", "x-correlation-id", "x-amzn-trace-id", "x-cloud-trace-context", "sentry-trace"],
  ...["traceparent", "tracestate", "baggage", "b3", "x-b3-traceid", "x-b3-spanid", "x-b3-parentspanid"],
  ...["x-datadog-trace-id", "x-datadog-parent-id"],
]);
/** Maximum number of shapes that connections share, twice: those in use and those of before. */
const MOST_SHAPES = 256;
/** A head with more fields has no shape: what is kept of many empty ones takes a hundred times their bytes. */
const MOST_FIELDS = 64;
/** Stands for a free value. No field line contains it. */
const HOLE = "\0";
const LINE_END = "\r\n";
/** The name at the end of a text that is cut before the value. */
const NAME = /(?:^|\n)([^\n:]+):[ \t]*$/;

/** A shape that arrived twice in a row. Connections with the same one share it, and so what was derived from it. */
export class HeadShape {
  /** The text before, between and after the free values. */
  readonly #pieces: readonly string[];
  /** The names of the fields with free values. */
  readonly #names: readonly string[];
  readonly #headers: KeptFields;

  constructor(text: string) {
    this.#pieces = text.split(HOLE);
    this.#names = this.#pieces.slice(0, -1).map((piece) => NAME.exec(piece)![1]!.toLowerCase());
    this.#headers = new KeptFields(parseFields(this.#pieces.join("")), this.#names);
  }

  /** Reads field lines of this shape; `undefined` for others. */
  read(fieldLines: string): Fields | undefined {
    const values: string[] = [];
    let from = 0;
    for (let at = 0; at < this.#names.length; at += 1) {
      const piece = this.#pieces[at]!;
      if (!fieldLines.startsWith(piece, from)) return undefined;
      const start = from + piece.length;
      const feed = fieldLines.indexOf(LINE_END, start);
      from = feed < 0 ? fieldLines.length : feed;
      const value = trim(fieldLines, start, from);
      if (!isFree(this.#names[at]!, value) || !isFieldValue(value)) return undefined;
      values.push(value);
    }
    return fieldLines.slice(from) === this.#pieces.at(-1) ? this.#headers.fill(values) : undefined;
  }
}

/** The shape with this text. */
export const findShape: (text: string) => HeadShape = memoize((text) => new HeadShape(text), MOST_SHAPES);

/** The text of a shape: well-formed field lines with a hole for each free value; `undefined` if none is free, or fields are many. */
export function readShape(fieldLines: string, headers: Fields): string | undefined {
  if (headers.lines.length > 2 * MOST_FIELDS) return undefined;
  let text = "";
  let from = 0;
  for (let at = 0; at < fieldLines.length;) {
    const feed = fieldLines.indexOf(LINE_END, at);
    const end = feed < 0 ? fieldLines.length : feed;
    const colon = fieldLines.indexOf(":", at);
    const value = trim(fieldLines, colon + 1, end);
    const name = fieldLines.slice(at, colon).toLowerCase();
    // Of several lines with this name, none is free.
    if (isFree(name, value) && headers.get(name) === value) {
      text += fieldLines.slice(from, fieldLines.indexOf(value, colon + 1)) + HOLE;
      from = end;
    }
    at = end + LINE_END.length;
  }
  return from > 0 ? text + fieldLines.slice(from) : undefined;
}

/** True for a value that decides nothing. Cookies may, if one of them is the proxy's own. */
function isFree(name: string, value: string): boolean {
  return FREE.has(name) && value !== "" && !(name === "cookie" && value.includes("proxy_"));
}
