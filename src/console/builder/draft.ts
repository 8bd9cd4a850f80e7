/**
 * What the builder holds: a request as it is typed, its parameters as rows, its variables (`{{name}}` stands for a value), and what
 * it lacks because its secrets were not stored.
 * @module
 */

import { decodeUtf8 } from "../../parts/console/har-content.ts";

/** The kind of body. */
export type BodyKind = "none" | "json" | "form" | "raw" | "multipart" | "file";

/** A file as the user chose it. */
export interface NamedFile {
  name: string;
  /** Its media type, `""` if unknown. */
  type: string;
  content: Blob;
}

/** A field of a form; with `file` its value is that file. */
export interface FormField {
  name: string;
  value: string;
  file?: NamedFile;
}

/** The content of the builder. */
export interface Draft {
  method: string;
  /** The whole address as typed, its query included. */
  address: string;
  /** As typed, in order; names may repeat. */
  headers: [name: string, value: string][];
  kind: BodyKind;
  /** The text of `json` and `raw`. Bytes that are no text become a file. */
  body: string;
  fields?: FormField[];
  file?: NamedFile;
  follow: boolean;
}

/** A request in the builder, and what it lacks because that was not stored. */
export interface Drafted {
  draft: Draft;
  /** Names, or `ADDRESS` or `BODY`. */
  missing: string[];
}

/** A builder without content. */
export function emptyDraft(): Draft {
  return { method: "GET", address: "", headers: [], kind: "none", body: "", fields: [], follow: true };
}

/** The text that a text area can hold unchanged; `undefined` for bytes that it can't. It changes CR to LF. */
export function readText(bytes: Uint8Array): string | undefined {
  const text = decodeUtf8(bytes);
  return text === undefined || /[\r\0]/.test(text) ? undefined : text;
}

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
  if (name === BODY) return draft.body;
  const fields = (draft.fields ?? []).map(({ name, value }) => [name, value]);
  const all = [...draft.headers, ...fields, ...readParams(draft.address)];
  return JSON.stringify(all.filter(([other]) => other === name));
}

/** Values by name. */
export type Variables = ReadonlyMap<string, string>;

const PATTERN = /\{\{\s*([\w.-]{1,100})\s*\}\}/g;

/** Puts the values in. What has none stays as typed. */
export function resolveText(text: string, variables: Variables): string {
  return text.includes("{{")
    ? text.replace(PATTERN, (typed, name: string) => variables.get(name) ?? typed)
    : text;
}

/** Puts the values into every part of a request. Files stay as they are. */
export function resolveDraft(draft: Draft, variables: Variables): Draft {
  if (variables.size === 0) return draft;
  const put = (text: string) => resolveText(text, variables);
  const fields = draft.fields?.map((field): FormField => ({
    ...field,
    name: put(field.name),
    value: put(field.value),
  }));
  return {
    ...draft,
    method: put(draft.method),
    address: put(draft.address),
    headers: draft.headers.map(([name, value]) => [put(name), put(value)]),
    body: put(draft.body),
    ...(fields && { fields }),
  };
}

/** The names that the parts in use still hold, each once. */
export function findVariables(draft: Draft): string[] {
  const { kind, address, headers, body, fields = [] } = draft;
  const isForm = kind === "form" || kind === "multipart";
  const texts = [
    address,
    ...headers.flat(),
    ...(isForm ? fields.flatMap(({ name, value }) => [name, value]) : []),
    ...(kind === "json" || kind === "raw" ? [body] : []),
  ];
  const names = texts.flatMap((text) => [...text.matchAll(PATTERN)].map(([, name = ""]) => name));
  return [...new Set(names)];
}

/** A parameter as it stands in the address. */
export type Param = [name: string, value: string];

/** An address in three parts; put together they are the same text. */
interface Split {
  before: string;
  /** Without `?`; `undefined` if there is none. */
  query: string | undefined;
  /** With `#`. */
  fragment: string;
}

/** The parameters, unchanged. A piece without `=` has an empty value. */
export function readParams(address: string): Param[] {
  const { query } = split(address);
  if (!query) return [];
  return query.split("&").map((piece) => {
    const at = piece.indexOf("=");
    return at < 0 ? [piece, ""] : [piece.slice(0, at), piece.slice(at + 1)];
  });
}

/**
 * Changes the parameters of an address. A piece whose row did not change stays to the byte (also `a` without `=`); of the others only what can't
 * stand in a query is encoded.
 *
 * @param rows those that the user sees; empty ones are left out
 */
export function writeParams(address: string, rows: readonly Param[]): string {
  const { before, query, fragment } = split(address);
  const old = query?.split("&") ?? [];
  const known = readParams(address);
  const used = new Set<number>();
  const pieces = rows.flatMap(([name, value], index) => {
    if (name === "" && value === "") return [];
    const isSame = (at: number) => !used.has(at) && known[at]?.[0] === name && known[at][1] === value;
    const found = isSame(index) ? index : known.findIndex((_, at) => isSame(at));
    if (found < 0) return [`${encodePart(name, true)}=${encodePart(value, false)}`];
    used.add(found);
    return [old[found] as string];
  });
  return before + (pieces.length > 0 ? `?${pieces.join("&")}` : "") + fragment;
}

/** Encodes what would end or split the parameter. `%41` stays, a single `%` becomes `%25`. */
function encodePart(text: string, isName: boolean): string {
  const encoded = text.replace(/%(?![\da-f]{2})/gi, "%25").replace(/[\s&#]/g, encodeURIComponent);
  return isName ? encoded.replaceAll("=", "%3D") : encoded;
}

function split(address: string): Split {
  const hash = address.indexOf("#");
  const plain = hash < 0 ? address : address.slice(0, hash);
  const mark = plain.indexOf("?");
  return {
    before: mark < 0 ? plain : plain.slice(0, mark),
    query: mark < 0 ? undefined : plain.slice(mark + 1),
    fragment: hash < 0 ? "" : address.slice(hash),
  };
}
