/**
 * What is saved, as it changes: never with a secret. Loaded when something is saved.
 * @module
 */

import type { Draft } from "./draft.ts";
import { hideAddress, hideBody, hideField, hideValue } from "./hide.ts";
import { MAX_NAME, MOST, type Saved } from "./saved.ts";
import { packDraft, type Packed } from "./stored.ts";

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

/** True for a variable whose value is not stored, by its name or because it holds a secret. */
export function isSecretVariable(name: string, value: string): boolean {
  return hideValue(name, value || "any") !== (value || "any");
}

/** Sets the variables of a scope. Secret ones are stored by name only. */
export function setVariables(saved: Saved, scope: string, values: readonly [string, string][]): Saved {
  const stored = values.filter(([name]) => name !== "").map(hideVariable);
  const others = saved.variables.filter(([other]) => other !== scope);
  return { ...saved, variables: stored.length > 0 ? [...others, [scope, stored]] : others };
}

/** The same without secrets, which the page stored when it knew fewer of them. */
export function cleanSaved({ requests, variables }: Saved): Saved {
  return {
    requests: requests.map((request) => ({ ...request, draft: hideSecrets(request.draft) })),
    variables: variables.map(([scope, values]) => [scope, values.map(hideVariable)]),
  };
}

/** The same draft without its secrets. Variables in their places stay. */
export function hideSecrets(packed: Packed): Packed {
  return {
    ...packed,
    address: hideAddress(packed.address),
    headers: packed.headers.map(([name, value]) => [name, hideField(name, value)]),
    body: hideBody(packed.body),
    fields: packed.fields.map(([name, value]) => [name, hideValue(name, value)]),
  };
}

function hideVariable([name, value]: [name: string, value: string]): [name: string, value: string] {
  return [name, isSecretVariable(name, value) ? "" : value];
}
