/**
 * Keeps the keys of the table out of captures, for every viewer (rule 16.3).
 * @module
 */

import { searchFor } from "../gate/redact.ts";
import type { TargetTable } from "../gate/targets/table.ts";
import type { CapturedRequest, CapturedResponse, FieldLine } from "./capture.ts";

/** Replaces keys by `{{NAME}}`. */
export interface KeyGuard {
  cleanText(text: string): string;
  /**
   * Replaces keys in a body, given as one character for each byte.
   *
   * @param isCut true if more bytes follow: then a key may be cut at the end
   */
  cleanBody(text: string, isCut: boolean): string;
}

const guards = new WeakMap<TargetTable, KeyGuard>();

/** The guard of a table's keys, made once; `undefined` if there are none. */
export function guardKeys(table: TargetTable | undefined): KeyGuard | undefined {
  if (!table || table.keys.size === 0) return undefined;
  let guard = guards.get(table);
  if (!guard) guards.set(table, guard = createGuard(table.keys));
  return guard;
}

function createGuard(keys: ReadonlyMap<string, string>): KeyGuard {
  const search = searchFor(keys);
  return {
    cleanText: (text) => search.clean(text),
    cleanBody: (text, isCut) => search.clean(text, isCut),
  };
}

/** The head of a request without keys. */
export function cleanRequest({ method, url, headers }: CapturedRequest, guard: KeyGuard): CapturedRequest {
  return { method: guard.cleanText(method), url: guard.cleanText(url), headers: cleanLines(headers, guard) };
}

/** The head of a response without keys. */
export function cleanResponse(response: CapturedResponse, guard: KeyGuard): CapturedResponse {
  const { status, statusText, headers } = response;
  return { status, statusText: guard.cleanText(statusText), headers: cleanLines(headers, guard) };
}

/** Fields without keys. */
export function cleanLines(lines: readonly FieldLine[], { cleanText }: KeyGuard): FieldLine[] {
  return lines.map(([name, value]) => [cleanText(name), cleanText(value)]);
}
