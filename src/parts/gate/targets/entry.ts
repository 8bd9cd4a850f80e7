/**
 * What the table of targets says of one target, read and checked (rule 8.1).
 * @module
 */

import type { Address } from "../../../core/address/address.ts";
import type { TargetTls } from "../../../core/address/route.ts";
import type { TargetEntry } from "../../../core/address/target-lists.ts";

/** A field that an entry sets. Keys are filled in already. */
export interface SetField {
  /** Lower-case. */
  readonly name: string;
  /** The name in the letters of the table. */
  readonly written: string;
  readonly value: string;
  /** Names of the keys in the value. */
  readonly keys: readonly string[];
}

/** Limits in place of those of the settings, with their units. */
export interface TargetLimits {
  readonly timeoutMs?: number;
  readonly idleTimeoutMs?: number;
  readonly maxRequestBytes?: number;
  readonly maxResponseBytes?: number;
}

/** One entry. */
export interface Entry {
  /** The name as written in the table. */
  readonly name: string;
  /** The targets that it is for. */
  readonly place: TargetEntry;
  /** A host label, and the base that it stands for. */
  readonly label?: readonly [label: string, base: Address];
  readonly set: readonly SetField[];
  /** Parameters of the query that it sets, by their names as sent. */
  readonly setQuery: readonly SetField[];
  /** The keys that every request to this target carries, by their names. */
  readonly ownKeys: ReadonlyMap<string, string>;
  readonly remove: readonly string[];
  readonly answerSet: readonly SetField[];
  readonly answerRemove: readonly string[];
  /** Names of keys that callers may place. */
  readonly keys: readonly string[];
  /** The only methods and path prefixes; absent for all. */
  readonly methods?: readonly string[];
  readonly paths?: readonly string[];
  /** Absent unless the entry has one. */
  readonly limits?: TargetLimits;
  /** Absent unless the entry has one. */
  readonly tls?: TargetTls;
  /** True to send the caller's own Host. */
  readonly keepsHost: boolean;
  /** Another proxy for this target, or `direct`; absent as in the settings (rule 13.1). */
  readonly upstream?: string;
}

/** The fields that an entry replaces with a key, lower-case. */
export function listKeyFields({ set }: Pick<Entry, "set">): string[] {
  return set.filter(({ keys }) => keys.length > 0).map(({ name }) => name);
}
