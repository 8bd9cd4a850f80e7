/**
 * Variables: `{{name}}` stands for a value.
 * @module
 */

import type { Draft, FormField } from "./draft.ts";

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
    body: typeof draft.body === "string" ? put(draft.body) : draft.body,
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
    ...((kind === "json" || kind === "raw") && typeof body === "string" ? [body] : []),
  ];
  const names = texts.flatMap((text) => [...text.matchAll(PATTERN)].map(([, name = ""]) => name));
  return [...new Set(names)];
}
