/**
 * Reads what a setting is given: text, and in code the plain value that the text stands for. Nothing is converted that
 * could be meant in another way: a `Set` is no list, `false` is no secret.
 * @module
 */

import type { Setting } from "./setting.ts";

/** What a setting may be given as in code: its text, or the plain value that the text stands for. */
export type OptionValue = string | number | boolean | readonly string[] | Readonly<Record<string, string>>;

/** Reads text; also a number or boolean where the setting is one. `undefined` when the value is bad. */
export function readScalar<T>({ isVerbatim, parse }: Setting<T>, value: unknown): T | undefined {
  if (typeof value === "string") return parse(isVerbatim ? value : value.trim());
  if (typeof value !== "number" && typeof value !== "boolean") return undefined;
  const read = parse(String(value));
  return typeof read === "number" || typeof read === "boolean" ? read : undefined;
}

/** Reads that, an array where the setting is a list, and an object where it may be one. */
export function readValue<T>(setting: Setting<T>, value: unknown): T | undefined {
  if (Array.isArray(value)) {
    // Holes become entries that are no strings.
    const entries = [...value];
    return entries.every(isString) ? setting.parseEntries?.(entries) : undefined;
  }
  if (!isRecord(value)) return readScalar(setting, value);
  const pairs = Object.entries(value);
  return pairs.every(isTextPair) ? setting.parsePairs?.(pairs) : undefined;
}

/** True for an object that is nothing but its own entries: no array, no `Map`, nothing of a class. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  // That of another realm is another object, and has no prototype either.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The value on one line, for a message; of a secret only its kind. */
export function describeValue(value: unknown, isSecret = false): string {
  if (isSecret) return typeof value === "string" ? "a secret that can't be used" : `[${typeof value}]`;
  if (Array.isArray(value)) return `[${[...value].map(describeScalar).join(",")}]`;
  if (!isRecord(value)) return describeScalar(value);
  const entries = Object.entries(value).map(([key, entry]) =>
    `${JSON.stringify(key)}:${describeScalar(entry)}`
  );
  return `{${entries.join(",")}}`;
}

function describeScalar(value: unknown): string {
  // Credentials in an address are a secret too.
  if (typeof value === "string") return JSON.stringify(value.replace(/\/\/[^/?#]*@/g, "//***@"));
  if (typeof value === "function" || typeof value === "symbol") return `[${typeof value}]`;
  if (typeof value === "object" && value !== null) return Object.prototype.toString.call(value);
  return typeof value === "bigint" ? `${value}n` : String(value);
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

function isTextPair(pair: [string, unknown]): pair is [string, string] {
  return isString(pair[1]);
}
