/**
 * What a part tells the core of a table of targets, without a value of any key.
 * @module
 */

import type { TargetTls } from "../address/route.ts";
import type { Outgoing } from "../runtime.ts";

/** The name of a field that an entry sets. */
export interface NamedField {
  /** Lower-case. */
  readonly name: string;
  /** Names of the keys in its value. */
  readonly keys: readonly string[];
}

/** The requests that an entry allows (rule 8.8). */
export interface RequestRules {
  /** Path prefixes by method and scheme, such as `GET https` or `GET wss`. */
  readonly byKind: ReadonlyMap<string, readonly string[]>;
  /** All of them. */
  readonly paths: readonly string[];
}

/** One entry of the table. */
export interface TableEntry {
  /** The name as written in the table. */
  readonly name: string;
  /** Headers, and query parameters by their names as sent. */
  readonly set: readonly NamedField[];
  readonly setQuery: readonly NamedField[];
  readonly remove: readonly string[];
  readonly answerSet: readonly NamedField[];
  readonly answerRemove: readonly string[];
  /** Names of keys that callers may place. */
  readonly keys: readonly string[];
  /** The only allowed methods and path prefixes; absent to allow all. */
  readonly methods?: readonly string[];
  readonly paths?: readonly string[];
  /** The only allowed requests; absent to allow all. */
  readonly requests?: RequestRules;
  /** How the connection is secured; absent if as usual. */
  readonly tls?: TargetTls;
  /** True to send the caller's own Host. */
  readonly keepsHost: boolean;
  /** For whom the proxy signs requests, by keys that it does not send; absent if it signs none (rule 22.20). */
  readonly sign?: { readonly aws: { readonly region: string; readonly service: string } };
  /** Another proxy for this target, or `direct`; if absent, the settings decide (rule 13.1). */
  readonly upstream?: string;
}

/** Lower-case names of the headers that an entry sets to a value with a key, or in which it signs. */
export function listKeyFields({ set, sign }: Pick<TableEntry, "set" | "sign">): string[] {
  const names = set.filter(({ keys }) => keys.length > 0).map(({ name }) => name);
  return sign ? [...names, ...SIGNED_FIELDS] : names;
}

/** The headers with what AWS asks for: the signature, and the token of temporary keys. SDKs have a variable for the latter. */
const SIGNED_FIELDS = ["authorization", "x-amz-security-token"];

/** Finds secret values in a text. */
export interface SecretSearch {
  /**
   * The text with `{{NAME}}` in place of each value.
   *
   * @param isCut true if the text is cut at its end and more follows elsewhere, so that a value may be cut there
   */
  clean(text: string, isCut?: boolean): string;
}

/** Signs the request of one hop. */
export interface Signing {
  /** Returns the request as it is to be sent. */
  sign(outgoing: Outgoing): Promise<Outgoing>;
  /** Frees what is held for the request: its response has begun, or there will be none. */
  release(): void;
}
