/**
 * Saved requests and variables, in this browser, and drafts as stored text. A target's page may share the origin: what is read is
 * not trusted, and a secret is stored only where the user says so for that one request (`saving.ts`).
 * @module
 */

import { readStored, type Shelf, writeStored } from "../page/storage.ts";
import { type BodyKind, type Draft, emptyDraft, type FormField, type Variables } from "./draft.ts";

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

/** The longest body that is kept, in characters. */
const MAX_KEPT_BODY = 1_000_000;
/** The longest text in one, in characters: all that `saving.ts` stores. */
const MAX_TEXT = 262_144;
const MAX_ROWS = 5_000;
const KINDS: readonly BodyKind[] = ["none", "json", "form", "raw", "multipart", "file"];

/** A draft as JSON holds it: files are left out. */
export type Packed = Omit<Draft, "body" | "file" | "fields"> & {
  body: string;
  fields: [name: string, value: string][];
};

/** A draft as it is stored. */
export interface Stripped {
  draft: Packed;
  /** What was left out because it is a secret: names, or the part that holds it. */
  missing: string[];
}

/** Packs a draft. Files and long bodies are left out. */
export function packDraft({ body, fields = [], file: _, ...rest }: Draft): Packed {
  return {
    ...rest,
    body: body.length <= MAX_KEPT_BODY ? body : "",
    fields: fields.filter(({ file }) => !file).map(({ name, value }) => [name, value]),
  };
}

/** Unpacks a draft; `undefined` if it is none. */
export function unpackDraft(stored: unknown): Draft | undefined {
  if (typeof stored !== "object" || stored === null) return undefined;
  const { method, address, headers, kind, body, fields, follow } = stored as Record<string, unknown>;
  if (!isText(address, MAX_TEXT) || !isText(method, 100) || !isText(body, MAX_KEPT_BODY)) return undefined;
  return {
    ...emptyDraft(),
    method,
    address,
    headers: readPairs(headers),
    kind: KINDS.find((known) => known === kind) ?? "none",
    body,
    fields: readPairs(fields).map(([name, value]): FormField => ({ name, value })),
    follow: follow !== false,
  };
}

/** The pairs of text in a stored list; anything else is left out. */
function readPairs(stored: unknown): [name: string, value: string][] {
  if (!Array.isArray(stored)) return [];
  return stored.slice(0, MAX_ROWS).filter((pair): pair is [string, string] =>
    Array.isArray(pair) && pair.length === 2 && isText(pair[0], MAX_TEXT) && isText(pair[1], MAX_TEXT)
  );
}

/** The names in a stored list; anything else is left out. */
export function readNames(stored: unknown): string[] {
  return readPairs([stored].flat().map((name) => [name, ""])).map(([name]) => name);
}

function isText(value: unknown, longest: number): value is string {
  return typeof value === "string" && value.length <= longest;
}
