/**
 * Keeps the keys of the table out of captures, for every viewer (rule 16.3).
 * @module
 */

import type { Hooks } from "../../core/exchange/exchange.ts";
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

const guards = new WeakMap<Hooks["secrets"], KeyGuard>();

/** The guard of what the parts search for, made once; `undefined` if that is nothing. */
export function guardSecrets(secrets: Hooks["secrets"]): KeyGuard | undefined {
  if (secrets.length === 0) return undefined;
  let guard = guards.get(secrets);
  if (!guard) guards.set(secrets, guard = createGuard(secrets));
  return guard;
}

function createGuard(secrets: Hooks["secrets"]): KeyGuard {
  const clean = (text: string, isCut = false) =>
    secrets.reduce((left, search) => search.clean(left, isCut), text);
  return { cleanText: (text) => clean(text), cleanBody: clean };
}

/** The head of a request without keys. */
export function cleanRequest(request: CapturedRequest, guard: KeyGuard): CapturedRequest {
  const { method, url, headers } = request;
  return {
    ...request,
    method: guard.cleanText(method),
    url: guard.cleanText(url),
    headers: cleanLines(headers, guard),
  };
}

/** The head of a response without keys. */
export function cleanResponse(response: CapturedResponse, guard: KeyGuard): CapturedResponse {
  const { statusText, headers } = response;
  return { ...response, statusText: guard.cleanText(statusText), headers: cleanLines(headers, guard) };
}

/** Fields without keys. */
export function cleanLines(lines: readonly FieldLine[], { cleanText }: KeyGuard): FieldLine[] {
  return lines.map(([name, value]) => [cleanText(name), cleanText(value)]);
}
