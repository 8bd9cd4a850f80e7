/**
 * `proxy_headers`: request headers that a caller sets or removes in the outgoing request, because a page's `fetch` cannot.
 * @module
 * @see Fetch §2.2.2 (forbidden request-header), rule 14.1
 */

import { decodeBase64, isObject } from "../address/arg.ts";
import { trimBlanks } from "../http/cookies.ts";
import { cannotUse } from "../http/error.ts";
import { decodeUtf8, shorten } from "../http/text.ts";
import type { FieldWriter } from "../http/fields.ts";
import { isCallerIdentity, isFieldValue, isToken } from "../http/headers.ts";
import { isOwnedByProxy } from "../http/owned-fields.ts";
import type { Config } from "../settings/config.ts";

/** What to do with a header: its new value, or `null` to remove it, and its name as written. */
interface Override {
  readonly value: string | null;
  readonly written: string;
}

/** Overrides by lower-case name; a `null` under `name*` removes all headers whose names begin with `name`. */
export type Overrides = ReadonlyMap<string, Override>;

/** Maximum characters of a name that an error shows. */
const MAX_SHOWN = 100;

/**
 * Reads the values of a field that carries overrides in Base64url.
 *
 * @param values one for each line of the header
 * @param culprit how errors name the field, such as `header proxy_headers`
 * @throws {ProxyError} `bad_request` naming the field and what was expected
 */
export function readOverrides(
  values: readonly string[],
  culprit: string,
  config: Pick<Config, "forwardClient">,
): Overrides {
  const [text = "", ...others] = values;
  if (others.length > 0 || text.includes(",")) refuse(culprit, "it has more than one value", "one");
  const bytes = /[%\s]/.test(text) ? undefined : decodeBase64(text);
  if (!bytes) refuse(culprit, "it is not Base64", "the Base64url of a JSON object");
  const json = decodeUtf8(bytes) ?? refuse(culprit, "it is not UTF-8", "the Base64url of a JSON object");
  return readJsonOverrides(json, culprit, config);
}

/**
 * Reads overrides in JSON text.
 *
 * @param culprit how errors name the place that they stood in, such as `header x-cors-headers`
 * @throws {ProxyError} `bad_request` naming the field and what was expected
 */
export function readJsonOverrides(
  json: string,
  culprit: string,
  config: Pick<Config, "forwardClient">,
): Overrides {
  const object = parseJson(json);
  if (!isObject(object)) refuse(culprit, "it is not a JSON object", 'one such as {"cookie": "a=1"}');
  if (countMembers(json) !== Object.keys(object).length) {
    refuse(culprit, "it names a field twice or contains objects", "each name once, with a string or null");
  }
  return parseOverrides(object, culprit, config);
}

/**
 * Checks overrides that are already parsed, whatever their original form.
 *
 * @param object a string sets a field, `null` removes it
 * @param culprit how errors name the place that they stood in, such as `header x-cors-headers`
 * @throws {ProxyError} `bad_request` naming the field and what was expected
 */
export function parseOverrides(
  object: Readonly<Record<string, unknown>>,
  culprit: string,
  { forwardClient }: Pick<Config, "forwardClient">,
): Overrides {
  const overrides = new Map<string, Override>();
  for (const [name, value] of Object.entries(object)) {
    const lowerName = name.toLowerCase();
    const refuseField = (state: string, expected: string) =>
      refuse(culprit, `field ${JSON.stringify(shorten(name, MAX_SHOWN))} ${state}`, expected);
    if (!isToken(name)) refuseField("is no HTTP field name", "a token such as accept");
    if (overrides.has(lowerName)) refuseField("is named twice", "each name once");
    if (isOwnedByProxy(lowerName)) {
      refuseField("belongs to the proxy", "an end-to-end field but Host and framing");
    }
    if (value === null) overrides.set(lowerName, { value, written: name });
    else if (typeof value !== "string") {
      refuseField("is neither a string nor null", "a string to set it or null to remove it");
    } else if (lowerName.endsWith("*")) refuseField("names several fields", "null, which removes them");
    else if (!isFieldValue(value)) {
      refuseField("has a value that HTTP does not allow", "Latin-1 text without control characters");
    } else if (forwardClient && isCallerIdentity(lowerName)) {
      refuseField("names the caller, which FORWARD_CLIENT leaves to the proxy", "another field");
    } else overrides.set(lowerName, { value: trimBlanks(value), written: name });
  }
  return overrides;
}

/** Changes the headers of an outgoing request. Removes by prefix first, so that a single name with it can still be set. */
export function applyOverrides(headers: FieldWriter, overrides: Overrides): void {
  const prefixes = [...overrides.keys()].filter((name) => name.endsWith("*")).map((name) =>
    name.slice(0, -1)
  );
  if (prefixes.length > 0) {
    for (const name of new Set([...headers].map(([name]) => name))) {
      const isMeant = prefixes.some((prefix) => name.startsWith(prefix));
      if (isMeant && !isOwnedByProxy(name)) headers.delete(name);
    }
  }
  for (const [name, { value, written }] of overrides) {
    if (value === null) headers.delete(name);
    else headers.set(name, value, written);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refuse(culprit: string, state: string, expected: string): never {
  throw cannotUse(culprit, state, expected, { names: ["FORWARD_CLIENT"] });
}

/**
 * The number of members of all objects in a JSON text.
 *
 * @param json valid JSON
 */
export function countMembers(json: string): number {
  let count = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at += 1) {
    const letter = json[at];
    if (letter === '"') isInString = !isInString;
    else if (!isInString) count += letter === ":" ? 1 : 0;
    else if (letter === "\\") at += 1;
  }
  return count;
}
