/**
 * What a draft lost because its secrets were not stored, until it is filled in again.
 * @module
 */

import type { Draft } from "./draft.ts";
import { readParams } from "./params.ts";

/** Stands for an address whose secret has no name. */
export const ADDRESS = "the address";
/** Stands for a body with a secret. */
export const BODY = "the body";

/** The names whose part of the draft is still as it was loaded. */
export function listUnfilled(names: readonly string[], loaded: Draft, now: Draft): string[] {
  return names.filter((name) => readPart(loaded, name) === readPart(now, name));
}

/** Everything of a name: header rows, fields of a form and parameters. */
function readPart(draft: Draft, name: string): string {
  if (name === ADDRESS) return draft.address;
  if (name === BODY) return String(draft.body);
  const fields = (draft.fields ?? []).map(({ name, value }) => [name, value]);
  const all = [...draft.headers, ...fields, ...readParams(draft.address)];
  return JSON.stringify(all.filter(([other]) => other === name));
}
