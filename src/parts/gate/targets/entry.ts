/**
 * One entry of the table of targets, parsed and checked (rule 8.1).
 * @module
 */

import type { Address } from "../../../core/address/address.ts";
import type { TargetTls } from "../../../core/address/route.ts";
import type { TargetEntry } from "../../../core/address/target-lists.ts";

/** A field that an entry sets. Keys are filled in already. */
export interface SetField {
  /** Lower-case. */
  readonly name: string;
  /** The name in the letter case of the table. */
  readonly written: string;
  readonly value: string;
  /** Names of the keys in the value. */
  readonly keys: readonly string[];
}

/** Limits that replace those of the settings, with the unit in each name. */
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
  /** The targets that the entry applies to. */
  readonly place: TargetEntry;
  /** A host label, and the base address that it stands for. */
  readonly label?: readonly [label: string, base: Address];
  readonly set: readonly SetField[];
  /** Query parameters to set, by their names as sent. */
  readonly setQuery: readonly SetField[];
  /** The keys that every request to this target carries, by their names. */
  readonly ownKeys: ReadonlyMap<string, string>;
  readonly remove: readonly string[];
  readonly answerSet: readonly SetField[];
  readonly answerRemove: readonly string[];
  /** Names of keys that callers may place. */
  readonly keys: readonly string[];
  /** The only allowed methods and path prefixes; absent to allow all. */
  readonly methods?: readonly string[];
  readonly paths?: readonly string[];
  /** Absent unless the entry has one. */
  readonly limits?: TargetLimits;
  /** Absent unless the entry has one. */
  readonly tls?: TargetTls;
  /** True to send the caller's own Host. */
  readonly keepsHost: boolean;
  /** Another proxy for this target, or `direct`; if absent, the settings decide (rule 13.1). */
  readonly upstream?: string;
}
