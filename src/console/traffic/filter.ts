/**
 * The filter of the list: words, fields such as `status:5xx`, times, sizes and regular expressions. Pure functions.
 * @module
 */

import type { TrafficEntry } from "../../parts/console/traffic-message.ts";
import { type Asked, readMeasure, readSince, readSpan, type Test } from "./filter-measures.ts";
import { routeOf } from "./row-route.ts";

/** One term of a filter. All must be true. */
export interface Term {
  text: string;
  test: Test;
  /** The text that bodies are searched for. */
  body?: string;
  /** True for a regular expression, which may take for ever. */
  isExpression?: true;
  /** True if it finds other requests as time passes. */
  isTimed?: true;
  /** What is wrong with it; then it filters nothing. */
  problem?: string;
}

/** A regular expression, then anything with a quoted part, then a word. */
const TERM = /-?\/(?:[^/\\\s]|\\\S| (?=[^/]*\/))+\/i?(?=\s|$)|[^\s"]*"[^"]*"?|\S+/g;
const EXPRESSION = /^\/(.+)\/i?$/s;
/** A name before a colon; `https://…` and `localhost:3000` have none. */
const FIELD = /^([a-z]+):(?!\/\/)(?!\d+(?:\/|$))(.*)$/is;
/** Names of times, and what reads their values. */
const TIMES = { since: readSince, time: readSpan };
/** Names whose value may begin with a number. */
const NUMBERED = new RegExp(`^(?:status|${Object.keys(TIMES).join("|")}):`, "i");
const EVERY: Test = () => true;

/** The text of each field; `undefined` if a request has none. */
const READERS: Readonly<Record<string, (entry: TrafficEntry) => string | undefined>> = {
  method: ({ method }) => method,
  host: ({ target }) => target,
  path: ({ address, query = "" }) => address && address.replace(/^\w+:\/\/[^/]*/, "") + query,
  route: routeOf,
  selector: ({ selector }) => selector,
  error: ({ error }) => error,
  token: ({ callerId }) => callerId,
};

/** Fields that are asked for in whole; the others in part. */
const WHOLE = new Set(["method", "route", "selector"]);

const FIELDS: readonly string[] = ["status", ...Object.keys(READERS)];

/** Reads a filter. An empty one has no term. */
export function parseFilter(text: string): Term[] {
  return splitTerms(text).map(readTerm);
}

/** True if every term is. */
export function matches(terms: readonly Term[], asked: Asked): boolean {
  return terms.every(({ test }) => test(asked));
}

/** The filter without the term at this place. */
export function dropTerm(text: string, place: number): string {
  return joinTerms(splitTerms(text).filter((_, index) => index !== place));
}

/** The filter with another term of a field, or without it. */
export function putTerm(text: string, field: string, value?: string): string {
  const others = splitTerms(text).filter((term) => !term.toLowerCase().startsWith(`${field}:`));
  return joinTerms([...others, ...value === undefined ? [] : [`${field}:${value}`]]);
}

/** Joins terms; `""` if the text would be read as other terms, as the two halves of an expression are. */
export function joinTerms(terms: string[]): string {
  const text = terms.join(" ");
  return String(splitTerms(text)) === String(terms) ? text : "";
}

/** What words are looked for in: all that a row shows. */
export function textOf(entry: TrafficEntry): string {
  const { method, status, address, target, query = "", selector, error, callerId, operation } = entry;
  return [
    method,
    status,
    (address ?? target ?? "") + query,
    operation,
    selector,
    error?.replaceAll("_", " "),
    error,
    callerId,
  ].join(" ")
    .toLowerCase();
}

function splitTerms(text: string): string[] {
  return text.match(TERM) ?? [];
}

function readTerm(text: string): Term {
  const isNegated = text.startsWith("-") && text.length > 1;
  const term = readPlain(isNegated ? text.slice(1) : text);
  const { test, problem } = term;
  const isTurned = isNegated && problem === undefined;
  return { ...term, text, test: isTurned ? (asked) => !test(asked) : test };
}

function readPlain(text: string): Term {
  const term = (test: Test): Term => ({ text, test });
  const bad = (problem: string): Term => ({ text, test: EVERY, problem });
  if (/^[<>]/.test(text)) {
    const measure = readMeasure(text);
    return typeof measure === "string" ? bad(measure) : term(measure);
  }
  const [, source] = EXPRESSION.exec(text) ?? [];
  if (source !== undefined) {
    const expression = readExpression(source);
    const plain = expression ? term(({ text }) => expression.test(text)) : bad("is no regular expression");
    return { ...plain, isExpression: true };
  }
  if (text === "running") return term(({ entry }) => entry.isRunning === true);
  if (text === "captured") return term(({ entry }) => entry.isCaptured === true);
  const [, name = "", value = ""] = (NUMBERED.test(text) ? /^(\w+):(.*)$/s : FIELD).exec(text) ?? [];
  if (name !== "") return readNamed(text, name.toLowerCase(), unquote(value));
  const word = unquote(text).toLowerCase();
  return term((asked) => asked.text.includes(word));
}

function readNamed(text: string, name: string, value: string): Term {
  const bad = (problem: string): Term => ({ text, test: EVERY, problem });
  if (value === "") return bad(`needs a value after ${name}:`);
  if (name === "body") {
    return { text, body: value, test: ({ entry, bodies }) => bodies.get(value)?.has(entry.key) ?? false };
  }
  const isTime = (name: string): name is keyof typeof TIMES => Object.hasOwn(TIMES, name);
  if (!isTime(name) && !FIELDS.includes(name)) {
    return bad(`names no field. Fields are ${[...FIELDS, ...Object.keys(TIMES), "body"].join(", ")}`);
  }
  const test = isTime(name) ? TIMES[name](value) : readField(name, value);
  if (typeof test === "string") return bad(test);
  return { text, test, ...(name === "since" && { isTimed: true }) };
}

/**
 * Reads the value of a field: `a,b` is either, `*` is any.
 *
 * @returns what is wrong, if it can't be read
 */
function readField(name: string, value: string): Test | string {
  const values = value.toLowerCase().split(",").filter((one) => one !== "");
  if (name === "status") return readStatuses(values);
  const read = READERS[name]!;
  return ({ entry }) => {
    const found = read(entry)?.toLowerCase();
    return found !== undefined &&
      values.some((one) => one === "*" || (WHOLE.has(name) ? found === one : found.includes(one)));
  };
}

function readStatuses(values: readonly string[]): Test | string {
  const ranges = values.map(readRange);
  if (ranges.includes(undefined)) return "is no status. Write status:404, status:5xx or status:400-499";
  return ({ entry: { status } }) => ranges.some((range) => range && status >= range[0] && status <= range[1]);
}

function readRange(value: string): [first: number, last: number] | undefined {
  const [, first, last] = /^(\d{3})(?:-(\d{3}))?$/.exec(value) ?? [];
  if (first !== undefined) return [Number(first), Number(last ?? first)];
  const [digits] = /^[1-9]\d?(?=x{1,2}$)/.exec(value) ?? [];
  if (digits === undefined || value.length !== 3) return undefined;
  return [Number(digits.padEnd(3, "0")), Number(digits.padEnd(3, "9"))];
}

function readExpression(source: string): RegExp | undefined {
  try {
    return new RegExp(source, "i");
  } catch {
    return undefined;
  }
}

function unquote(text: string): string {
  return text.replace(/^"([^"]*)"?$/, "$1").replace(/^([^"]*)"([^"]*)"?$/, "$1$2");
}
