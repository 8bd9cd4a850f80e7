/**
 * Saved requests and variables, in this browser. A target's page may share the origin and read them, so a secret is stored
 * only where the user says so for that one request (`saving.ts`).
 * @module
 */

import { readStored, type Shelf, writeStored } from "../page/storage.ts";
import { packDraft, readNames, readPairs, type Stripped, unpackDraft } from "./stored.ts";
import type { Variables } from "./draft.ts";

const KEY = "fetchvia.saved";
/** The most requests that are saved. */
export const MOST = 200;
/** The longest name of one, in characters. */
export const MAX_NAME = 200;
/** The scope of variables that hold for every host. */
export const ALL_HOSTS = "*";

/** A saved request. */
export interface SavedRequest extends Stripped {
  name: string;
  /** True if it holds its secrets, as the user wished. */
  keepsSecrets?: true;
}

/** Everything that is saved. */
export interface Saved {
  requests: SavedRequest[];
  /** Values by scope (an origin, or `*`), each a list of pairs. */
  variables: [scope: string, values: [name: string, value: string][]][];
}

/** Reads what is saved. What is malformed is left out. */
export function readSaved(shelf: Shelf | undefined): Saved {
  const { requests, variables } = (readStored(shelf, KEY) ?? {}) as Record<string, unknown>;
  return { requests: readRequests(requests), variables: readScopes(variables) };
}

/** Stores it; false if the storage is full or forbidden. */
export function writeSaved(shelf: Shelf | undefined, saved: Saved): boolean {
  return writeStored(shelf, KEY, saved);
}

/** The key of a secret in the page's memory. */
export function secretKey(scope: string, name: string): string {
  return `${scope} ${name}`;
}

/** The variables for an origin: its own, then those of all hosts. Secrets come from the page's memory. */
export function readVariables(
  saved: Saved,
  origin: string | undefined,
  secrets: ReadonlyMap<string, string>,
): Variables {
  const values = new Map<string, string>();
  for (const scope of [ALL_HOSTS, origin]) {
    for (const [name, value] of saved.variables.find(([other]) => other === scope)?.[1] ?? []) {
      const found = secrets.get(secretKey(scope ?? "", name)) ?? value;
      if (found !== "") values.set(name, found);
    }
  }
  return values;
}

function readRequests(stored: unknown): SavedRequest[] {
  if (!Array.isArray(stored)) return [];
  return stored.slice(0, MOST).flatMap((entry: unknown) => {
    const { name, draft, missing, keepsSecrets } = (entry ?? {}) as Record<string, unknown>;
    const read = unpackDraft(draft);
    if (!read || typeof name !== "string" || name.length > MAX_NAME) return [];
    const request = { name, draft: packDraft(read), missing: readNames(missing) };
    return [keepsSecrets === true ? { ...request, keepsSecrets } : request];
  });
}

function readScopes(stored: unknown): Saved["variables"] {
  if (!Array.isArray(stored)) return [];
  return stored.slice(0, MOST).flatMap((entry: unknown): Saved["variables"] => {
    const [scope, values] = Array.isArray(entry) ? entry : [];
    return typeof scope === "string" ? [[scope, readPairs(values)]] : [];
  });
}
