/**
 * The form of one member of an entry: how it is read.
 * @module
 */

import type { Address } from "../../../core/address/address.ts";
import type { TargetEntry } from "../../../core/address/target-lists.ts";
import type { Entry } from "./entry.ts";
import type { Sources } from "./keys.ts";

/** What a member's reader may use. */
export interface Reading {
  /** The entry's name as written, and its place. */
  readonly name: string;
  readonly place: TargetEntry;
  readonly sources: Sources;
  /** Reads a key by its name; refuses where the entry may hold none. */
  readKey(name: string): string;
  /** The base of the entry's label. */
  readonly base: Address | undefined;
}

/** A value that a member does not take. The message goes on from "entry …". */
export class MemberFault extends Error {}

/** The fault of a part of a member, such as `set.host`. */
export function badPart(part: string, expected: string): MemberFault {
  return new MemberFault(`has a bad ${part}, expected ${expected}`);
}

/** A part of an entry that is being read. */
export type Draft = { -readonly [K in keyof Entry]?: Entry[K] };

/** A member. */
export interface Member {
  /** The end of "… is 5, expected …". */
  readonly expected: string;
  /**
   * Reads the value into the draft.
   *
   * @returns false when it is not what is expected
   * @throws {MemberFault} with a more exact reason
   */
  read(value: unknown, draft: Draft, reading: Reading): boolean;
}

/** True for a list of texts, with at least one. */
export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
}
