/**
 * Filters that are one click away: those that everybody needs, and those that this browser was asked to keep; and the last ones, which
 * are one key away.
 * @module
 */

import { readStored, type Shelf, writeStored } from "../page/storage.ts";
import { dropTerm, parseFilter } from "./filter.ts";
import { hasExpression, isSecretFilter } from "./list-address.ts";

/** A filter with a name. */
export interface SavedFilter {
  name: string;
  filter: string;
}

/** Those that everybody has. */
export const COMMON_FILTERS: readonly SavedFilter[] = [
  { name: "4xx", filter: "status:4xx" },
  { name: "5xx", filter: "status:5xx" },
  { name: "Slow", filter: ">500ms" },
  { name: "Running", filter: "running" },
];

const KEY = "fetchvia.filters";
const MOST = 12;
const MAX_LENGTH = 200;

/** Reads those that are kept: a target's page may share the storage, so it is not trusted. */
export function readSaved(shelf: Pick<Shelf, "getItem"> | undefined): string[] {
  const stored = readStored(shelf, KEY);
  return Array.isArray(stored) ? stored.slice(0, 99).filter(isKept).slice(0, MOST) : [];
}

/** Keeps these. */
export function keepSaved(shelf: Pick<Shelf, "setItem"> | undefined, filters: readonly string[]): void {
  writeStored(shelf, KEY, filters.filter(isKept).slice(0, MOST));
}

/** True for a filter that may be kept. What is searched for in bodies may be a secret; all are applied at every tick. */
export function isKept(filter: unknown): filter is string {
  return typeof filter === "string" && filter.trim() !== "" && filter.length <= MAX_LENGTH &&
    !isSecretFilter(filter) && !hasExpression(parseFilter(filter).map(({ text }) => text).join(" ")) &&
    parseFilter(filter).every(({ body, problem }) => body === undefined && problem === undefined);
}

/** True if a filter has all terms of another. */
export function hasTermsOf(filter: string, other: string): boolean {
  const terms = parseFilter(filter).map(({ text }) => text);
  return parseFilter(other).every(({ text }) => terms.includes(text));
}

/** The filter with the terms of another, or without them if it has them. */
export function toggleTerms(filter: string, other: string): string {
  if (!hasTermsOf(filter, other)) return `${filter.trim()} ${other}`.trim();
  return parseFilter(other).reduce((left, { text }) => {
    return dropTerm(left, parseFilter(left).findIndex((term) => term.text === text));
  }, filter);
}

/** How many of the last filters are remembered. */
const MOST_LAST = 10;

/** The last filters, in the memory of this page: what was searched for may be a secret. */
let last: readonly string[] = [];

/** Remembers a filter that was used; one letter is what was left of another one. */
export function rememberFilter(filter: string): void {
  const text = filter.trim();
  if (text.length > 1) last = [text, ...last.filter((one) => one !== text)].slice(0, MOST_LAST);
}

/** The filters, the newest first. */
export function recentFilters(): readonly string[] {
  return last;
}

/** The filter before one of them, or the newest for none; `undefined` if there is none, or for any other. */
export function filterBefore(filter: string): string | undefined {
  const text = filter.trim();
  const place = last.indexOf(text);
  return text === "" || place >= 0 ? last[place + 1] : undefined;
}

/** Forgets them. */
export function forgetFilters(): void {
  last = [];
}
