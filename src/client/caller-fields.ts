/**
 * The fields of a caller's request: those that reach the target by themselves, and those that a page's `fetch` or the
 * proxy would silently drop.
 * @module
 * @see Fetch §2.2.2 (forbidden request-header)
 */

import { isCallerIdentity } from "../core/http/headers.ts";
import { isOwnedByProxy } from "../core/http/owned-fields.ts";

/** Fields by name and value, in order. */
export type FieldList = [name: string, value: string][];

/**
 * Fields that `fetch` drops in a page; `user-agent`, which Chromium drops although the standard allows it; and
 * `authorization`, which the proxy drops if a browser may have sent it by itself.
 */
const LOST =
  /^(?:sec-.*|accept-charset|accept-encoding|access-control-request-.*|authorization|cookie2?|date|dnt|origin|referer|set-cookie|user-agent|via|x-(?:http-)?method(?:-override)?)$/;
/** Fields that carry the proxy's token; they never go to the target. */
const TOKEN = /^proxy(?:[_-]token|-authorization)$/;

/**
 * Reads the fields that a caller gave to `fetch`, before a `Request` drops some.
 *
 * @throws {TypeError} naming a field that cannot go out, because the proxy sets it itself
 */
export function readCallerFields(input: string | URL | Request, init?: RequestInit): FieldList {
  const fields = [...new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))];
  for (const [name] of fields) {
    if (!isOwnedByProxy(name) || TOKEN.test(name) || name === "content-length") continue;
    throw new TypeError(`Cannot send field ${name}: the proxy sets it itself. Leave it out`);
  }
  return fields;
}

/**
 * Drops `content-length`, which the body decides.
 *
 * @param length of the body in bytes; `undefined` for a stream
 * @throws {TypeError} when the field says something else
 */
export function dropLength(fields: FieldList, length: number | undefined): FieldList {
  const said = fields.find(([name]) => name === "content-length")?.[1];
  if (said !== undefined && said !== String(length)) {
    throw new TypeError(`Cannot send field content-length: it is ${said}, expected ${length ?? "none"}`);
  }
  return fields.filter(([name]) => name !== "content-length");
}

/** True for a field that carries the proxy's token. */
export function isTokenField(name: string): boolean {
  return TOKEN.test(name);
}

/** True for a field that must be sent in `proxy_headers`. */
export function isLost(name: string): boolean {
  return LOST.test(name) || isCallerIdentity(name);
}

/**
 * The fields that show the token to the proxy. A page may send no field whose name begins with `Proxy-`, so `proxy_token`
 * repeats the token.
 */
export function readTokenFields(fields: FieldList, token: string | undefined): FieldList {
  const shown = fields.filter(([name]) => isTokenField(name));
  if (shown.some(([name]) => name === "proxy_token")) return shown;
  const [, value = ""] = shown[0] ?? [];
  const same = shown.length > 0 ? value.replace(/^Bearer +/i, "") : token;
  return same === undefined ? shown : [...shown, ["proxy_token", same]];
}
