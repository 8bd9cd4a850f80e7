/**
 * Keys: `{{NAME}}` stands for the environment variable NAME, or for the file that NAME_FILE names (rule 9.1).
 * @module
 */

import type { TargetTls } from "../../../core/address/route.ts";
import { isFieldValue } from "../../../core/http/headers.ts";

/** Where a table reads variables and files from. */
export interface Sources {
  /** An environment variable; `undefined` when it is not set. */
  variable(name: string): string | undefined;
  /** How variables get here; absent where they do. */
  readonly lacking?: string | undefined;
  /**
   * Reads a file as text; absent where there are no files.
   *
   * @param isBesideTable true for a path relative to the table, false for one relative to the working directory
   * @throws any error when it can't be read
   */
  readFile?(path: string, isBesideTable: boolean): string;
  /** Finds a certificate, key or version that can't be used; absent where the runtime can't tell. */
  findTlsFault?(tls: TargetTls): TlsFault | undefined;
}

/** A certificate, key or version that can't be used. */
export interface TlsFault {
  readonly member: "ca" | "cert" | "key" | "minVersion";
  /** The end of "has a bad cert, expected …". */
  readonly expected: string;
}

/** A name in double braces. */
const PLACEHOLDER = /\{\{([A-Za-z_][A-Za-z0-9_]*)\}\}/g;

/** A name as variables usually have it. Another one may be a key itself that stands in place of its name. */
const USUAL_NAME = /^[A-Z][A-Z0-9_]*$/;

/** The key names in a text, in order. */
export function listKeys(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
}

/** The text with each name replaced by its value. */
export function fillKeys(text: string, valueOf: (name: string) => string | undefined): string {
  return text.replace(PLACEHOLDER, (whole, name: string) => valueOf(name) ?? whole);
}

/**
 * Reads the value of a key, without one line end after it and blanks around it: a field loses these on its way, so the key
 * that comes back would be another one.
 *
 * @returns the value, or what is wrong: the text names the variable, if that is surely no key, and never the value
 */
export function readKey(
  name: string,
  { variable, readFile, lacking }: Sources,
): { value: string } | { fault: string } {
  const file = variable(`${name}_FILE`);
  const given = variable(name) || (file ? readText(file, readFile) : undefined);
  const isUsual = USUAL_NAME.test(name);
  const shown = isUsual ? name : "the variable that it names";
  if (given === undefined) {
    const fault = file && readFile
      ? `the file of ${shown} can't be read, expected one with the key, and no pipe`
      : `${shown} is not set, expected ${
        lacking ?? `the key ${isUsual ? nameSources(name, readFile) : "there"}`
      }`;
    return { fault };
  }
  const text = given.replace(/\r?\n$/, "");
  const value = text.trim();
  const isUsable = value !== "" && isFieldValue(text);
  return isUsable ? { value } : { fault: `${shown} is not a key, expected text on one line` };
}

function nameSources(name: string, readFile: Sources["readFile"]): string {
  return readFile ? `in ${name} or ${name}_FILE` : `in ${name}`;
}

function readText(file: string, readFile: Sources["readFile"]): string | undefined {
  try {
    return readFile?.(file, false);
  } catch {
    return undefined;
  }
}
