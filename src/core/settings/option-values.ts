/**
 * Reads the raw value of a setting: text, or the plain value that the text stands for. It converts nothing ambiguous: a
 * `Set` is not a list, `false` is not a secret.
 * @module
 */

import { hideUserinfo } from "../address/plain-url.ts";
import type { Setting } from "./setting.ts";

/** The value of a setting in code: its text, or the plain value that the text stands for. */
export type OptionValue = string | number | boolean | readonly string[] | Readonly<Record<string, string>>;

/** Reads text, or a number, a boolean or a JSON object if the setting is one. `undefined` when the value is bad. */
export function readScalar<T>({ isVerbatim, parse, parseObject }: Setting<T>, value: unknown): T | undefined {
  if (typeof value === "string") return parse(isVerbatim ? value : value.trim());
  if (typeof value !== "number" && typeof value !== "boolean") {
    return isRecord(value) ? parseObject?.(value) : undefined;
  }
  const read = parse(String(value));
  return typeof read === "number" || typeof read === "boolean" ? read : undefined;
}

/** Like `readScalar`; also accepts an array for a list, and an object or a function if the setting allows one. */
export function readValue<T>(setting: Setting<T>, value: unknown): T | undefined {
  if (typeof value === "function") return setting.parseFunction?.(value as (line: string) => unknown);
  if (Array.isArray(value)) {
    // Holes become `undefined`, which is not a string.
    const entries = [...value];
    return entries.every(isString) ? setting.parseEntries?.(entries) : undefined;
  }
  if (!isRecord(value) || setting.parseObject) return readScalar(setting, value);
  const pairs = Object.entries(value);
  return pairs.every(isTextPair) ? setting.parsePairs?.(pairs) : undefined;
}

/** True for a plain object: no array, no `Map`, no class instance. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  // Another realm has its own `Object.prototype`, whose prototype is `null` too.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The value on one line, for a message. For a secret only its type. */
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
  // Credentials in an address are a secret too, and so may be what stands in its query.
  if (typeof value === "string") return JSON.stringify(hideUserinfo(value).replace(/\?[^,]+/g, "?***"));
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
