/**
 * The interface of one member of an entry: how its value is read.
 * @module
 */

import type { Address } from "../../../core/address/address.ts";
import type { TargetEntry } from "../../../core/address/target-lists.ts";
import type { Entry } from "./entry.ts";
import type { Sources } from "./keys.ts";

/** The context that a member's reader gets. */
export interface Reading {
  /** The entry's name as written, and the targets that it names. */
  readonly name: string;
  readonly place: TargetEntry;
  readonly sources: Sources;
  /** Reads a key by its name; throws if there is no such key, or if the entry may hold none. */
  readKey(name: string): string;
  /** The base of the entry's label. */
  readonly base: Address | undefined;
}

/** A value that a member does not accept. The message continues "entry …". */
export class MemberFault extends Error {}

/** Makes the fault for a part of a member, such as `set.host`. */
export function badPart(part: string, expected: string): MemberFault {
  return new MemberFault(`has a bad ${part}, expected ${expected}`);
}

/** A name of a member, header or parameter that is surely no secret; a longer one, or one with digits, may be pasted. */
const PLAIN_NAME = /^[?$]?[A-Za-z][A-Za-z_-]{0,31}$/;

/** A name for a message; what may be a secret is left out. */
export function showName(name: string): string {
  return PLAIN_NAME.test(name) ? name : "…";
}

/** An entry that is being read: the members so far. */
export type Draft = { -readonly [K in keyof Entry]?: Entry[K] };

/** How one member is read. */
export interface Member {
  /** The end of "… is 5, expected …". */
  readonly expected: string;
  /**
   * Reads the value into the draft.
   *
   * @returns false if the value is not as expected
   * @throws {MemberFault} with a more exact reason
   */
  read(value: unknown, draft: Draft, reading: Reading): boolean;
}
