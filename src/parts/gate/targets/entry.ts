/**
 * One entry of the table of targets, parsed and checked (rule 8.1).
 * @module
 */

import type { Address } from "../../../core/address/address.ts";
import type { TargetEntry } from "../../../core/address/target-lists.ts";
import type { AwsSigner } from "../sign/aws-signer.ts";
import type { NamedField, TableEntry } from "../../../core/exchange/table-entry.ts";

/** A field that an entry sets. Keys are filled in already. */
export interface SetField extends NamedField {
  /** The name in the letter case of the table. */
  readonly written: string;
  readonly value: string;
}

/** Limits that replace those of the settings, with the unit in each name. */
interface TargetLimits {
  readonly timeoutMs?: number;
  readonly idleTimeoutMs?: number;
  readonly maxRequestBytes?: number;
  readonly maxResponseBytes?: number;
}

/** One entry. */
export interface Entry extends TableEntry {
  /** The targets that the entry applies to. */
  readonly place: TargetEntry;
  /** A host label, and the base address that it stands for. */
  readonly label?: readonly [label: string, base: Address];
  readonly set: readonly SetField[];
  readonly setQuery: readonly SetField[];
  readonly answerSet: readonly SetField[];
  /** The keys that every request to this target carries or is signed with, by their names. */
  readonly ownKeys: ReadonlyMap<string, string>;
  /** Signs each request; absent if the entry signs none. */
  readonly signer?: AwsSigner;
  /** Absent unless the entry has one. */
  readonly limits?: TargetLimits;
}
