/**
 * Reads lists of methods and of path prefixes, as the table of targets and callers' tokens have them.
 * @module
 */

import { decodeAddress, encodeText } from "../address/address.ts";
import { isToken } from "../http/headers.ts";

/** A path prefix, or a whole path behind `=`, without query, fragment and white space. */
export const PATH = /^=?\/[^?#\s]*$/;

/** Reads a list of methods; `undefined` for anything else. */
export function parseMethods(value: unknown): readonly string[] | undefined {
  return isTexts(value) && value.every(isToken) && !value.some(isMisspelled) ? value : undefined;
}

/** True for a method in lower case that clients send in upper case whatever is written (Fetch, "normalize a method"). */
function isMisspelled(method: string): boolean {
  return /^(?:DELETE|GET|HEAD|OPTIONS|POST|PUT)$/i.test(method) && method !== method.toUpperCase();
}

/** Reads a list of path prefixes, as they are compared; `undefined` for anything else. */
export function parsePaths(value: unknown): readonly string[] | undefined {
  if (!isTexts(value) || !value.every((path) => PATH.test(path))) return undefined;
  return value.map((path) =>
    path.startsWith("=") ? encodeText(path) : decodeAddress(`http://a${path}`)?.path ?? path
  );
}

/** True for a non-empty list of texts. */
export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
}
