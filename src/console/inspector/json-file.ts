/**
 * Reads members of a JSON file, and says what is wrong in it.
 * @module
 */

import { isObject } from "../../core/address/arg.ts";

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
