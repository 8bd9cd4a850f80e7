/**
 * Validates a fetch argument and builds the request from it (specification 2.1).
 * @module
 */

import { type Address, decodeAddress } from "../../address/address.ts";
import { findAddressFault } from "../../address/fault.ts";
import { trimBlanks } from "../../http/cookies.ts";
import { shorten } from "../../http/text.ts";
import { cannotUse, ProxyError } from "../../http/error.ts";
import { Fields } from "../../http/fields.ts";
import { decodeBase64 } from "../../address/arg.ts";
import { encodeForm } from "./form.ts";
import { describeJsonFault, dropMark, findBase64Fault, NO_OBJECT } from "./format-fault.ts";
import { isFieldValue, isToken, readNominated } from "../../http/headers.ts";
import { isLeftOut } from "../../http/owned-fields.ts";
import { readString, unescapeString } from "./json-string.ts";
import { MAX_MEMBERS, type Member, readMembers } from "./json-members.ts";
import { Pace } from "./pace.ts";
import { UPPER_METHODS } from "../../settings/request-lists.ts";
import { VERSION } from "../../settings/version.ts";

export { findArgFault } from "./format-fault.ts";

/** The `user-agent` of a described request that has none. */
export const DEFAULT_USER_AGENT = `fetchvia/${VERSION}`;

/** A checked fetch argument. */
export interface Argument {
  address: Address;
  method: string;
  headers: Fields;
  body: Uint8Array<ArrayBuffer> | null;
  /** `manual` returns the 3xx as the target sent it. */
  redirect: "follow" | "manual";
}

/**
 * Maximum length of each field but `body`, as written: it becomes part of the request headers, and no server accepts
 * longer ones.
 */
export const MAX_HEAD_BYTES: number = 256 * 1024;

/** An error names at most this many unknown fields, and shows this much of a name. */
const MAX_NAMED = 16;
const MAX_SHOWN = 100;

/** JSON as it is written, in UTF-8. */
type Json = Uint8Array<ArrayBuffer>;

const MEMBERS: ReadonlySet<string> = new Set(["url", "method", "headers", "body", "redirect"]);
const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/**
 * Reads a fetch argument and checks its fields. A long one is read in several stretches, so that other requests get
 * their turn. It needs a few times its length in memory.
 *
 * @param json UTF-8, with or without a byte order mark
 * @throws {ProxyError} `bad_request` naming the field and what was expected
 */
export async function parseArgument(json: Json): Promise<Argument> {
  const pace = new Pace();
  const fields = await readFields(json, pace);
  const address = parseAddress(fields.get("url"));
  const headers = parseHeaders(await readHeaders(fields.get("headers"), pace));
  const body = await encodeBody(fields.get("body"), headers, pace);
  if (!headers.has("user-agent")) headers.set("user-agent", DEFAULT_USER_AGENT);
  return {
    address,
    method: parseMethod(fields.get("method")),
    headers,
    body,
    redirect: parseRedirect(fields.get("redirect")),
  };
}

/**
 * Refuses anything that is not a JSON object in Base64.
 *
 * @param reason where it stops being one
 */
export function refuseFormat(reason: string): never {
  throw new ProxyError("bad_request", "Invalid Base64 or JSON format", { reason });
}

/** Decodes an `arg` as written in an address, or throws `bad_request`. */
export function parseBase64(text: string): Json {
  return decodeBase64(text) ?? refuseFormat(findBase64Fault(text));
}

/** Reads the fields of the argument as written. The last of equal names counts. */
async function readFields(json: Json, pace: Pace): Promise<Map<string, Json>> {
  const text = dropMark(json);
  const members = await readMembers(text, pace);
  if (typeof members === "number") refuseFormat(describeJsonFault(json, members + json.length - text.length));
  if (!members.isObject) refuseFormat(NO_OBJECT);
  const { list, isCut } = members;
  const fields = new Map(list.map(({ name, value }) => [showName(name), value]));
  const unknown = [...fields.keys()].filter((name) => !MEMBERS.has(name));
  if (unknown.length) {
    const named = unknown.length > MAX_NAMED ? [...unknown.slice(0, MAX_NAMED), "…"] : unknown;
    throw cannotUse("fields of arg", `${named.join(", ")} is unknown`, `only ${[...MEMBERS].join(", ")}`);
  }
  if (isCut) throw cannotUse("arg", "it is too large", `at most ${MAX_MEMBERS} fields`);
  return fields;
}

/** Formats a name for an error, cut if it is long. */
function showName(written: Json): string {
  if (written.length <= 6 * MAX_SHOWN) return readString(written);
  return `${new TextDecoder().decode(written.subarray(1, MAX_SHOWN))}…`;
}

/** The text of a JSON string; `undefined` for anything else. */
function readText(field: string, json: Json | undefined): string | undefined {
  if (!json || !isText(json)) return undefined;
  checkLength(field, json);
  return readString(json);
}

function checkLength(field: string, json: Json): void {
  if (json.length > MAX_HEAD_BYTES) refuseField(field, "too long", `at most ${MAX_HEAD_BYTES} bytes`);
}

function parseAddress(json: Json | undefined): Address {
  const expected = "an absolute http or https address";
  if (!json) refuseField("url", "missing", expected);
  const url = readText("url", json) ?? refuseField("url", "not a string", expected);
  const address = decodeAddress(url);
  if (address) return address;
  throw cannotUse("field of arg", `url ${findAddressFault(url)}`, expected);
}

function parseMethod(json: Json | undefined): string {
  if (!json) return "GET";
  const method = readText("method", json);
  if (method === undefined || !isToken(method)) {
    refuseField("method", "not an HTTP method", "a token such as POST");
  }
  const upper = method.toUpperCase();
  if (upper === "CONNECT" || upper === "TRACE") {
    refuseField("method", upper, "any method but CONNECT and TRACE");
  }
  return UPPER_METHODS.has(upper) ? upper : method;
}

function parseRedirect(json: Json | undefined): "follow" | "manual" {
  if (!json) return "follow";
  const redirect = readText("redirect", json);
  if (redirect === "follow" || redirect === "manual") return redirect;
  return refuseField("redirect", "not a mode", '"follow" or "manual"');
}

/** The members of `headers`. */
async function readHeaders(json: Json | undefined, pace: Pace): Promise<Member[]> {
  if (!json) return [];
  if (!isObject(json)) refuseField("headers", "not an object", "an object of strings");
  checkLength("headers", json);
  const members = await readMembers(json, pace);
  if (typeof members === "number") return [];
  return members.isCut ? refuseField("headers", "too large", `at most ${MAX_MEMBERS} fields`) : members.list;
}

/** Does not use `Headers`: with thousands of names some implementations take quadratic time. */
function parseHeaders(members: readonly Member[]): Fields {
  const headers = new Fields();
  // The last of equal names counts, as in JSON.
  const last = new Map(members.map(({ name, value }) => [readString(name), value]));
  for (const [name, json] of last) addHeader(headers, name, isText(json) ? readString(json) : undefined);
  // What `Connection` names ends at the next hop with it (RFC 9110 §7.6.1).
  const connections = [...last].filter(([name]) => name.toLowerCase() === "connection");
  for (const name of readNominated(connections.map(([, json]) => readString(json)).join()) ?? []) {
    headers.delete(name);
  }
  return headers;
}

/**
 * Adds a field of the described request. Names that differ in case only are separate lines of one field.
 *
 * @param value `undefined` if it is no string
 * @throws {ProxyError} `bad_request`
 */
export function addHeader(headers: Fields, name: string, value: string | undefined): void {
  const refuseHeader = (state: string, expected: string) =>
    refuseField(`headers[${JSON.stringify(shorten(name, MAX_SHOWN))}]`, state, expected);
  if (!isToken(name)) refuseHeader("not an HTTP field name", "a token such as accept");
  if (value === undefined) return refuseHeader("not a string", "a string");
  if (!isFieldValue(value)) refuseHeader("not allowed in HTTP", "Latin-1 text without control characters");
  const lowerName = name.toLowerCase();
  const before = lowerName === "cookie" ? headers.get(lowerName) : null;
  // Cookies are joined with `; `: a comma would change the cookie (RFC 9113 §8.2.3).
  if (before !== null) headers.set(lowerName, `${before}; ${trimBlanks(value)}`);
  else if (!isLeftOut(lowerName)) headers.append(lowerName, trimBlanks(value), name);
}

/**
 * Encodes the body by its type, and adds a content type if a JSON value needs one (rule 3.3). JSON is sent as written
 * in the argument, because parsing could lose digits of a number.
 */
async function encodeBody(json: Json | undefined, headers: Fields, pace: Pace): Promise<Json | null> {
  if (!json || isNull(json)) return null;
  if (isText(json)) return await unescapeString(json, pace);
  if (isObject(json) && FORM.test(headers.get("content-type") ?? "")) return await encodeForm(json, pace);
  if (!headers.has("content-type")) headers.set("content-type", "application/json");
  return json;
}

// The first byte of valid JSON shows its type.
const isText = (json: Json) => json[0] === 0x22;
const isObject = (json: Json) => json[0] === 0x7b;
const isNull = (json: Json) => json[0] === 0x6e;

function refuseField(field: string, state: string, expected: string): never {
  throw cannotUse("field of arg", `${field} is ${state}`, expected);
}
