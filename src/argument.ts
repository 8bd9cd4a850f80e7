/**
 * The fetch argument: checks its fields and makes of them what a request is made of (specification 2.1).
 * @module
 */

import { type Address, decodeAddress } from "./address.ts";
import { isObject } from "./arg.ts";
import { ProxyError } from "./error.ts";
import { isFieldValue, isHopByHop, isToken } from "./headers.ts";
import { VERSION } from "./version.ts";

/** A checked fetch argument. */
export interface Argument {
  address: Address;
  method: string;
  headers: Headers;
  body: Uint8Array<ArrayBuffer> | null;
  /** `manual` hands the 3xx on as the target sent it. */
  redirect: "follow" | "manual";
}

const FIELDS: ReadonlySet<string> = new Set(["url", "method", "headers", "body", "redirect"]);
// The methods that the Fetch standard writes in upper case whatever the caller wrote (Fetch §2.2.1, "normalize").
const NORMALISED: ReadonlySet<string> = new Set(["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"]);
const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/**
 * Checks the fields of a fetch argument.
 *
 * @throws {ProxyError} `bad_request` naming the field and what was expected
 */
export function parseArgument(fields: Record<string, unknown>): Argument {
  const unknown = Object.keys(fields).filter((name) => !FIELDS.has(name));
  if (unknown.length) {
    refuse(unknown.join(", "), "unknown", `only ${[...FIELDS].join(", ")}`, "Cannot use fields of arg");
  }
  const address = parseAddress(fields.url);
  const headers = parseHeaders(fields.headers);
  const body = encodeBody(fields.body, headers);
  if (!headers.has("user-agent")) headers.set("user-agent", `fetchvia/${VERSION}`);
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

function parseHeaders(fields: unknown): Headers {
  const headers = new Headers();
  if (fields === undefined) return headers;
  if (!isObject(fields)) refuse("headers", "not an object", "an object of strings");
  for (const [name, value] of Object.entries(fields)) {
    const field = `headers[${JSON.stringify(name)}]`;
    if (!isToken(name)) refuse(field, "no HTTP field name", "a token such as accept");
    if (typeof value !== "string") refuse(field, "not a string", "a string");
    if (!isFieldValue(value)) refuse(field, "not allowed in HTTP", "Latin-1 text without control characters");
    if (!isOwnedByProxy(name.toLowerCase())) headers.append(name, value);
  }
  return headers;
}

/** Fields that only the proxy can know: they are dropped, as in every forwarded request. */
function isOwnedByProxy(name: string): boolean {
  return isHopByHop(name) || name === "content-length" || name === "host";
}

/** Encodes the body by its type, and gives it a content type where a JSON value needs one (contract 3). */
function encodeBody(body: unknown, headers: Headers): Uint8Array<ArrayBuffer> | null {
  if (body === undefined || body === null) return null;
  const encoder = new TextEncoder();
  if (typeof body === "string") return encoder.encode(body);
  if (isObject(body) && FORM.test(headers.get("content-type") ?? "")) return encoder.encode(encodeForm(body));
  if (!headers.has("content-type")) headers.set("content-type", "application/json");
  return encoder.encode(writeJson(body));
}

function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // The parser of some runtimes reads deeper than they write.
    return refuse("body", "nested too deeply", "JSON that can be written again");
  }
}

function encodeForm(body: Record<string, unknown>): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(body)) {
    for (const item of Array.isArray(value) ? value : [value]) form.append(name, formText(item));
  }
  return form.toString();
}

function formText(value: unknown): string {
  if (value === null) return "";
  return typeof value === "object" ? writeJson(value) : String(value);
}

function refuse(field: string, state: string, expected: string, what = "Cannot use field of arg"): never {
  throw new ProxyError("bad_request", `${what}: ${field} is ${state}, expected ${expected}`);
}
