/**
 * What is saved, as it changes: with a secret only where the user says so for that one request. Loaded when something is
 * stored.
 * @module
 */

import { ADDRESS, BODY, type Draft, readParams } from "./draft.ts";
import { isCurl } from "./complete-address.ts";
import { hideAddress, hideBody, hideField, hideValue } from "./hide.ts";
import {
  MAX_NAME,
  MOST,
  packDraft,
  type Packed,
  type Saved,
  type SavedRequest,
  type Stripped,
} from "./saved.ts";

/**
 * Saves a request under a name; one of the same name is replaced.
 *
 * @param keepsSecrets true if the user says so for this request
 * @param missing what the draft itself still lacks
 */
export function saveRequest(
  saved: Saved,
  name: string,
  draft: Draft,
  keepsSecrets = false,
  missing: readonly string[] = [],
): Saved {
  const packed = packDraft(draft);
  const request: SavedRequest = {
    name: writeName(keepsSecrets ? name : hideBody(name)),
    ...(keepsSecrets ? { draft: packed, missing: [...missing], keepsSecrets } : strip(packed, missing)),
  };
  const others = saved.requests.filter((other) => other.name !== request.name);
  return { ...saved, requests: [request, ...others].slice(0, MOST) };
}

/** The most characters of one request, and of all that is saved. */
const MOST_OF_ONE = 262_144;
const MOST_OF_ALL = 2_097_152;

/**
 * Says why a change is not saved; `undefined` if it is. What makes less of what there is, always is.
 *
 * @param draft the whole request that is added, if one is
 */
export function findExcess(saved: Saved, next: Saved, draft?: Draft): string | undefined {
  const sizeOf = (part: unknown) => JSON.stringify([part]).length;
  if (sizeOf(draft) > MOST_OF_ONE) return "Not saved: more than 256 KiB.";
  const size = sizeOf(next);
  return size > MOST_OF_ALL && size > sizeOf(saved) ? "Not saved: more than 2 MiB in all." : undefined;
}

/** Renames a request. A name that is empty or taken changes nothing. */
export function renameRequest(saved: Saved, old: string, name: string): Saved {
  const text = writeName(hideBody(name));
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

/**
 * Sets the variables of a scope. Secret ones are stored by name only.
 *
 * @param before those that the tab began with: what it left as it was, is as another tab may have set it since
 */
export function setVariables(
  saved: Saved,
  scope: string,
  values: readonly [string, string][],
  before?: readonly [string, string][],
): Saved {
  const all = new Map(saved.variables.find(([other]) => other === scope)?.[1]);
  const [mine, old] = [new Map(values), new Map(before ?? all)];
  for (const name of old.keys()) if (!mine.has(name)) all.delete(name);
  for (const [name, value] of mine) if (old.get(name) !== value) all.set(name, value);
  const stored = [...all].filter(([name]) => name !== "").map(hideVariable);
  const others = saved.variables.filter(([other]) => other !== scope);
  return { ...saved, variables: stored.length > 0 ? [...others, [scope, stored]] : others };
}

/** The same without secrets, which the page stored when it knew fewer of them. */
export function cleanSaved({ requests, variables }: Saved): Saved {
  return {
    requests: requests.map((request) =>
      request.keepsSecrets ? request : { ...request, ...strip(request.draft, request.missing) }
    ),
    variables: variables.map(([scope, values]) => [scope, values.map(hideVariable)]),
  };
}

/** The draft without its secrets, and what has to be filled in again. */
export function strip(packed: Packed, missing: readonly string[] = []): Stripped {
  const draft = hideSecrets(packed);
  return { draft, missing: [...new Set([...missing, ...listLost(packed, draft)])] };
}

/** The names of the values that differ. Only values are taken out, so the rows of both stand in the same order. */
function listLost(before: Packed, after: Packed): string[] {
  const params = readParams(before.address);
  const others = readParams(after.address);
  const without = (address: string) => address.replace(/\?[^#]*/, "");
  const isNamed = params.every(([name], index) => others[index]?.[0] === name) &&
    without(before.address) === without(after.address);
  const lost = (pairs: Packed["headers"], rest: Packed["headers"]) =>
    rest.filter(([name, value], index) => pairs[index]?.[0] !== name || pairs[index][1] !== value).map((
      [name],
    ) => name);
  return [
    ...lost(before.headers, after.headers),
    ...(isNamed ? lost(params, others) : [ADDRESS]),
    ...lost(before.fields, after.fields),
    ...(before.body === after.body ? [] : [BODY]),
  ];
}

/** The same draft without its secrets. Variables in their places stay. */
export function hideSecrets(packed: Packed): Packed {
  return {
    ...packed,
    // A command that is still to be read.
    address: isCurl(packed.address) ? "" : hideAddress(packed.address),
    headers: packed.headers.map(([name, value]) => [hideBody(name), hideField(name, value)]),
    body: hideBody(packed.body),
    fields: packed.fields.map(([name, value]) => [hideBody(name), hideValue(name, value)]),
  };
}

function writeName(name: string): string {
  return name.trim().slice(0, MAX_NAME);
}

function hideVariable([name, value]: [name: string, value: string]): [name: string, value: string] {
  return [hideBody(name), isSecretVariable(name, value) ? "" : value];
}
