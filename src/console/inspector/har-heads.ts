/**
 * Reads members of a JSON file, and heads and trailers in HAR files.
 * @module
 */

import { isObject } from "../../core/address/arg.ts";
import type { Capture, CapturedHop, CapturedInterim, FieldLine } from "../../parts/capture/capture.ts";

/** An object of JSON. */
export type Json = Record<string, unknown>;

/** Reads the file as an object. */
export function parse(file: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(file.replace(/^\ufeff/, ""));
  } catch (error) {
    const reason = error instanceof Error ? error.message : "it does not parse";
    throw new TypeError(`Cannot read the file: it is no JSON (${reason}), expected a HAR file`);
  }
  return isObject(value) ? value : fail("the file", "no object", "a HAR file");
}

/** A member that is an object. */
export function member(object: Json, name: string, place: string): Json {
  const value = object[name];
  return isObject(value)
    ? value
    : fail(place === "the file" ? name : `${place}.${name}`, "missing", "an object");
}

/** A member that is a text. */
export function text(object: Json, name: string, place: string): string {
  const value = object[name];
  return typeof value === "string" ? value : fail(`${place}.${name}`, "missing", "a text");
}

/** A member that is a text; `""` if it is none. */
export function optional(object: Json, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}

/** The members of these names that are texts, and not empty. */
export function texts<Name extends string>(object: Json, ...names: Name[]): { [name in Name]?: string } {
  const found = names.flatMap((name) => optional(object, name) ? [[name, object[name]]] : []);
  return Object.fromEntries(found) as { [name in Name]?: string };
}

/** Says what is wrong in the file. */
export function fail(place: string, state: string, expected: string): never {
  throw new TypeError(`Cannot read the file: ${place} is ${state}, expected ${expected}`);
}

/** The heads of an entry; no response if none came. */
export type EntryHeads = Pick<CapturedHop, "request" | "interims" | "response">;

/**
 * Reads the heads of an entry.
 *
 * @param place where it stands in the file
 * @param start when it began, in Unix milliseconds
 */
export function readHeads(request: Json, response: Json, place: string, start: number): EntryHeads {
  const [method, url] = [
    text(request, "method", `${place}.request`),
    text(request, "url", `${place}.request`),
  ];
  if (!URL.canParse(url)) fail(`${place}.request.url`, "no address", "an absolute one");
  const read = (head: Json, name: string) => ({
    headers: readLines(head["headers"], `${place}.${name}.headers`),
    trailers: nonEmpty(readExtraLines(head["_trailers"])),
  });
  const httpVersion = optional(response, "httpVersion");
  const received = { ...readStatus(response), httpVersion, ...read(response, "response") };
  const interims = readInterims(response["_interimResponses"], ({ headers, time }) => ({
    headers: readExtraLines(headers),
    atMs: Math.round((Number(time) * 1_000 - start) * 10) / 10 || 0,
  }));
  return {
    request: { method, url, ...read(request, "request") },
    interims,
    response: received.status > 0 ? received : undefined,
  };
}

/** What the caller sent and got, as this proxy writes it; `undefined` in files of others. */
export function readCaller(extra: Json): Pick<Capture, "request" | "interims" | "response"> | undefined {
  const { caller } = extra;
  if (!isObject(caller) || !isObject(caller["request"])) return undefined;
  const { request, interims, response } = caller;
  const place = "_fetchvia.caller";
  const read = (head: Json, name: string) => ({
    headers: toLines(head["headers"], `${place}.${name}.headers`),
    trailers: nonEmpty(toLines(head["trailers"] ?? [], `${place}.${name}.trailers`)),
  });
  return {
    request: {
      method: text(request, "method", place),
      url: text(request, "url", place),
      httpVersion: optional(request, "httpVersion"),
      ...read(request, "request"),
    },
    interims: readInterims(interims, ({ headers, atMs }) => ({
      headers: toLines(headers, `${place}.interims`),
      atMs: Number(atMs) || 0,
    })),
    response: isObject(response) ? { ...readStatus(response), ...read(response, "response") } : undefined,
  };
}

function readStatus(response: Json): { status: number; statusText: string } {
  return { status: Number(response["status"]) || 0, statusText: optional(response, "statusText") };
}

function nonEmpty(lines: FieldLine[]): FieldLine[] | undefined {
  return lines.length > 0 ? lines : undefined;
}

/** Lines in a member that HAR does not name: what others write there is not ours to refuse. */
function readExtraLines(value: unknown): FieldLine[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).map((line) => [optional(line, "name"), optional(line, "value")]);
}

function readInterims(
  value: unknown,
  read: (interim: Json) => Pick<CapturedInterim, "atMs" | "headers">,
): CapturedInterim[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter(isObject).map((interim) => ({ ...readStatus(interim), ...read(interim) }));
}

/** Lines as this proxy writes them: pairs. */
function toLines(value: unknown, place: string): FieldLine[] {
  if (!Array.isArray(value)) fail(place, "no array", "an array of pairs");
  return value.filter(Array.isArray).map(([name, content]) => [String(name), String(content)]);
}

/** Lines as HAR has them. Those of HTTP/2 that are no fields are left out. */
function readLines(value: unknown, place: string): FieldLine[] {
  if (!Array.isArray(value)) fail(place, "no array", "an array of names and values");
  return value.map((line, index): FieldLine => {
    if (!isObject(line)) fail(`${place}[${index}]`, "no object", "a name and a value");
    return [text(line, "name", `${place}[${index}]`), optional(line, "value")];
  }).filter(([name]) => !name.startsWith(":"));
}
