/**
 * Drafts as stored text. A target's page may share the origin, so nothing stored is trusted: it is data, never markup.
 * @module
 */

import { type BodyKind, type Draft, emptyDraft, type FormField } from "./draft.ts";

/** The longest body that is kept, in characters. */
const MAX_KEPT_BODY = 1_000_000;
const MAX_TEXT = 100_000;
const MAX_ROWS = 500;
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
    body: typeof body === "string" && body.length <= MAX_KEPT_BODY ? body : "",
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
export function readPairs(stored: unknown): [name: string, value: string][] {
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
