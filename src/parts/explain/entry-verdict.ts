/**
 * What the table of targets says about a target: names only, never values or keys.
 * @module
 */

import type { Exchange, Target } from "../../core/exchange/exchange.ts";
import type { TableEntry } from "../../core/exchange/table-entry.ts";
import { findEntry } from "../../core/exchange/hooks.ts";

/** An entry, by its names. */
export interface ToldEntry {
  /** The entry's name as written in the table. */
  name: string;
  /** Names of the fields that it sets; those of parameters begin with `?`. */
  set: string[];
  /** Names of the fields that it removes. */
  remove: string[];
  /** Names of the keys that callers may place. */
  keys: string[];
  /** For whom requests are signed; absent if the entry signs none. */
  sign?: TableEntry["sign"];
}

/** Describes the entry of a target; `null` without one, and for pages of targets and of strangers, who must not see it. */
export function tellEntry({ parts, asker }: Exchange, { origin }: Target): ToldEntry | null {
  if (asker === "page" || asker === "stranger") return null;
  const entry = findEntry(parts, origin);
  if (!entry) return null;
  const { name, set, setQuery, remove, keys, sign } = entry;
  const names = [...set.map((field) => field.name), ...setQuery.map((field) => `?${field.name}`)];
  return { name, set: names, remove: [...remove], keys: [...keys], ...sign && { sign } };
}
