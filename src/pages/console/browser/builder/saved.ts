/**
 * Saved requests and variables, in this browser. A target's page may share the origin and read them, so secrets are never
 * stored: those stay in the tab.
 * @module
 */

import { isSecretField, isSecretParameter } from "../share/secrets.ts";
import type { Draft } from "./draft.ts";
import { hideSecrets, packDraft, type Packed, readPairs, unpackDraft } from "./stored.ts";
import type { Variables } from "./variables.ts";

const KEY = "fetchvia.saved";
const MOST = 200;
const MAX_NAME = 200;
/** The scope of variables that hold for every host. */
export const ALL_HOSTS = "*";

/** The part of `localStorage` that is used; absent if the browser forbids it. */
export type Shelf = Pick<Storage, "getItem" | "setItem">;

/** A saved request. */
export interface SavedRequest {
  name: string;
  draft: Packed;
}

/** Everything that is saved. */
export interface Saved {
  requests: SavedRequest[];
  /** Values by scope (an origin, or `*`), each a list of pairs. */
  variables: [scope: string, values: [name: string, value: string][]][];
}

/** Reads what is saved. What is malformed is left out. */
export function readSaved(shelf: Shelf | undefined): Saved {
  try {
    const { requests, variables } = JSON.parse(shelf?.getItem(KEY) ?? "{}") as Record<string, unknown>;
    return { requests: readRequests(requests), variables: readScopes(variables) };
  } catch {
    return { requests: [], variables: [] };
  }
}

/** Stores it; false if the storage is full or forbidden. */
export function writeSaved(shelf: Shelf | undefined, saved: Saved): boolean {
  try {
    shelf?.setItem(KEY, JSON.stringify(saved));
    return shelf !== undefined;
  } catch {
    return false;
  }
}

/** Saves a request under a name; one of the same name is replaced. */
export function saveRequest(saved: Saved, name: string, draft: Draft): Saved {
  const request = { name: name.trim().slice(0, MAX_NAME), draft: hideSecrets(packDraft(draft)) };
  const others = saved.requests.filter((other) => other.name !== request.name);
  return { ...saved, requests: [request, ...others].slice(0, MOST) };
}

/** Renames a request. A name that is empty or taken changes nothing. */
export function renameRequest(saved: Saved, old: string, name: string): Saved {
  const text = name.trim().slice(0, MAX_NAME);
  if (text === "" || saved.requests.some((other) => other.name === text)) return saved;
  return {
    ...saved,
    requests: saved.requests.map((request) => request.name === old ? { ...request, name: text } : request),
  };
}

/** Deletes a request. */
export function dropRequest(saved: Saved, name: string): Saved {
  return { ...saved, requests: saved.requests.filter((request) => request.name !== name) };
}

/** True for a variable whose value is not stored. */
export function isSecretVariable(name: string): boolean {
  return isSecretParameter(name) || isSecretField(name);
}

/** Sets the variables of a scope. Secret ones are stored by name only. */
export function setVariables(saved: Saved, scope: string, values: readonly [string, string][]): Saved {
  const stored = values.filter(([name]) => name !== "")
    .map(([name, value]): [string, string] => [name, isSecretVariable(name) ? "" : value]);
  const others = saved.variables.filter(([other]) => other !== scope);
  return { ...saved, variables: stored.length > 0 ? [...others, [scope, stored]] : others };
}

/** The key of a secret in the tab. */
export function secretKey(scope: string, name: string): string {
  return `${scope} ${name}`;
}

/** The variables for an origin: its own, then those of all hosts. Secrets come from the tab. */
export function readVariables(
  saved: Saved,
  origin: string | undefined,
  secrets: ReadonlyMap<string, string>,
): Variables {
  const values = new Map<string, string>();
  for (const scope of [ALL_HOSTS, origin]) {
    for (const [name, value] of saved.variables.find(([other]) => other === scope)?.[1] ?? []) {
      const found = isSecretVariable(name) ? secrets.get(secretKey(scope ?? "", name)) : value;
      if (found !== undefined && found !== "") values.set(name, found);
    }
  }
  return values;
}

function readRequests(stored: unknown): SavedRequest[] {
  if (!Array.isArray(stored)) return [];
  return stored.slice(0, MOST).flatMap((entry: unknown) => {
    const { name, draft } = (entry ?? {}) as Record<string, unknown>;
    const read = unpackDraft(draft);
    return read && typeof name === "string" && name.length <= MAX_NAME
      ? [{ name, draft: packDraft(read) }]
      : [];
  });
}

function readScopes(stored: unknown): Saved["variables"] {
  if (!Array.isArray(stored)) return [];
  return stored.slice(0, MOST).flatMap((entry: unknown): Saved["variables"] => {
    const [scope, values] = Array.isArray(entry) ? entry : [];
    return typeof scope === "string" ? [[scope, readPairs(values)]] : [];
  });
}
