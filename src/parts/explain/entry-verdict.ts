/**
 * What the table of targets says of a target, by names only: no value and no key is told.
 * @module
 */

import type { Exchange, Target } from "../../core/exchange/exchange.ts";

/** An entry, by its names. */
export interface ToldEntry {
  /** As it stands in the table. */
  name: string;
  /** Names of the fields that it sets; those of parameters begin with `?`. */
  set: string[];
  /** Names of the fields that it removes. */
  remove: string[];
  /** Names of the keys that callers may place. */
  keys: string[];
}

/** Tells of the entry of a target. Pages of targets and of strangers learn nothing of it. */
export function tellEntry({ table, asker }: Exchange, { origin }: Target): ToldEntry | null {
  if (asker === "page" || asker === "stranger") return null;
  const entry = table?.find(origin);
  if (!entry) return null;
  const { name, set, setQuery, remove, keys } = entry;
  const names = [...set.map((field) => field.name), ...setQuery.map((field) => `?${field.name}`)];
  return { name, set: names, remove: [...remove], keys: [...keys] };
}
