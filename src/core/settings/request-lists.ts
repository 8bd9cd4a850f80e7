/**
 * Reads lists of methods and of path prefixes, as the table of targets and callers' tokens have them.
 * @module
 */

import { decodeAddress, encodeText } from "../address/address.ts";
import { isBelow } from "../address/path-prefix.ts";
import { isToken } from "../http/headers.ts";

/** A path prefix, or a whole path behind `=`, without query, fragment and white space. */
export const PATH = /^=?\/[^?#\s]*$/;

/** The methods that clients send in upper case, however they are written (Fetch §2.2.1, "normalize"). */
export const UPPER_METHODS: ReadonlySet<string> = new Set([
  "DELETE",
  "GET",
  "HEAD",
  "OPTIONS",
  "POST",
  "PUT",
]);

/** Reads a list of methods; `undefined` for anything else. */
export function parseMethods(value: unknown): readonly string[] | undefined {
  return isTexts(value) && value.every((method) => isToken(method) && !isMisspelled(method))
    ? value
    : undefined;
}

/** True for a method that no client sends as it is written here. */
function isMisspelled(method: string): boolean {
  const upper = method.toUpperCase();
  return upper !== method && UPPER_METHODS.has(upper);
}

/** Reads a list of path prefixes, as they are compared; `undefined` for anything else, and if nothing is below one. */
export function parsePaths(value: unknown): readonly string[] | undefined {
  if (!isTexts(value) || !value.every((path) => PATH.test(path))) return undefined;
  const paths = value.map((path) =>
    path.startsWith("=") ? encodeText(path) : decodeAddress(`http://a${path}`)?.path ?? path
  );
  return paths.every((path) => isBelow([path], path.replace(/^=/, ""))) ? paths : undefined;
}

/** True for a non-empty list of texts. */
export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
}
