/**
 * The fetch argument: checks its fields and makes of them what a request is made of (specification 2.1).
 * @module
 */

import { type Address, decodeAddress } from "./address.ts";
import { isObject, type JsonObject } from "./arg.ts";
import { trimBlanks } from "./cookies.ts";
import { ProxyError } from "./error.ts";
import { Fields } from "./fields.ts";
import { isFieldValue, isHopByHop, isToken } from "./headers.ts";
import { readMembers } from "./members.ts";
import { VERSION } from "./version.ts";

/** Who asks where the argument does not say it. */
export const DEFAULT_USER_AGENT = `fetchvia/${VERSION}`;

/** A checked fetch argument. */
export interface Argument {
  address: Address;
  method: string;
  headers: Fields;
  body: Uint8Array<ArrayBuffer> | null;
  /** `manual` hands the 3xx on as the target sent it. */
  redirect: "follow" | "manual";
}

const MEMBERS: ReadonlySet<string> = new Set(["url", "method", "headers", "body", "redirect"]);
// The methods that the Fetch standard writes in upper case whatever the caller wrote (Fetch §2.2.1, "normalize").
const NORMALISED: ReadonlySet<string> = new Set(["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"]);
const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/**
 * Checks the fields of a fetch argument.
 *
 * @throws {ProxyError} `bad_request` naming the field and what was expected
 */
export function parseArgument({ fields, text }: JsonObject): Argument {
  const unknown = Object.keys(fields).filter((name) => !MEMBERS.has(name));
  if (unknown.length) {
    refuse(unknown.join(", "), "unknown", `only ${[...MEMBERS].join(", ")}`, "Cannot use fields of arg");
  }
  const address = parseAddress(fields.url);
  const headers = parseHeaders(fields.headers);
  const body = encodeBody(fields.body, text, headers);
  if (!headers.has("user-agent")) headers.set("user-agent", DEFAULT_USER_AGENT);
  return {
    address,
    method: parseMethod(fields.method),
    headers,
    body,
    redirect: parseRedirect(fields.redirect),
  };
}

function parseAddress(url: unknown): Address {
  const expected = "an absolute http or https address";
  if (url === undefined) refuse("url", "missing", expected);
  if (typeof url !== "string") refuse("url", "not a string", expected);
  return decodeAddress(url) ?? refuse("url", "no such address", expected);
}

function parseMethod(method: unknown): string {
  if (method === undefined) return "GET";
  if (typeof method !== "string" || !isToken(method)) {
    refuse("method", "no HTTP method", "a token such as POST");
  }
  const upper = method.toUpperCase();
  if (upper === "CONNECT" || upper === "TRACE") refuse("method", upper, "any method but CONNECT and TRACE");
  return NORMALISED.has(upper) ? upper : method;
}

function parseRedirect(redirect: unknown): "follow" | "manual" {
  if (redirect === undefined || redirect === "follow") return "follow";
  return redirect === "manual" ? redirect : refuse("redirect", "no such mode", '"follow" or "manual"');
}

/** Into no `Headers`: with thousands of names those of Deno (2.9) and Bun (1.4) take quadratic time. */
function parseHeaders(fields: unknown): Fields {
  const headers = new Fields();
  if (fields === undefined) return headers;
  if (!isObject(fields)) refuse("headers", "not an object", "an object of strings");
  for (const [name, value] of Object.entries(fields)) {
    const field = `headers[${JSON.stringify(name)}]`;
    if (!isToken(name)) refuse(field, "no HTTP field name", "a token such as accept");
    if (typeof value !== "string") refuse(field, "not a string", "a string");
    if (!isFieldValue(value)) refuse(field, "not allowed in HTTP", "Latin-1 text without control characters");
    const lowerName = name.toLowerCase();
    const before = lowerName === "cookie" ? headers.get(name) : null;
    // With a comma, as servers join lines, it would be another cookie (RFC 9113 §8.2.3).
    if (before !== null) headers.set(lowerName, `${before}; ${trimBlanks(value)}`);
    else if (!isOwnedByProxy(lowerName)) headers.append(lowerName, trimBlanks(value));
  }
  return headers;
}

/** Fields that only the proxy can know: they are dropped, as in every forwarded request. */
function isOwnedByProxy(name: string): boolean {
  return isHopByHop(name) || name === "content-length" || name === "host";
}

/**
 * Encodes the body by its type, and gives it a content type where a JSON value needs one (contract 3). JSON goes out as
 * it is written in `argument`: a number that was parsed may have lost digits.
 */
function encodeBody(body: unknown, argument: string, headers: Fields): Uint8Array<ArrayBuffer> | null {
  if (body === undefined || body === null) return null;
  const encoder = new TextEncoder();
  if (typeof body === "string") return encoder.encode(body);
  const written = readMembers(argument).get("body") ?? "";
  if (isObject(body) && FORM.test(headers.get("content-type") ?? "")) {
    return encoder.encode(encodeForm(written));
  }
  if (!headers.has("content-type")) headers.set("content-type", "application/json");
  return encoder.encode(written);
}

function encodeForm(body: string): string {
  const form = new URLSearchParams();
  for (const [name, value] of readMembers(body)) {
    const items = value.startsWith("[") ? readMembers(value).values() : [value];
    for (const item of items) form.append(name, formText(item));
  }
  return form.toString();
}

/** The text of a JSON string; nothing for `null`; every other value as it is written. */
function formText(value: string): string {
  if (value === "null") return "";
  return value.startsWith('"') ? JSON.parse(value) as string : value;
}

function refuse(field: string, state: string, expected: string, what = "Cannot use field of arg"): never {
  throw new ProxyError("bad_request", `${what}: ${field} is ${state}, expected ${expected}`);
}
