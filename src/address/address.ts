/**
 * Reads the two kinds of target address: a base address (host selectors) and a whole address (`url`, `arg`).
 * @module
 */

import { memoize } from "../http/memo.ts";

/**
 * A parsed target address: where to connect and what to ask for, kept apart so that no path can change the host.
 *
 * @internal
 */
export interface Address {
  /** Scheme, host and port; without path, query, fragment and credentials. */
  origin: URL;
  /**
   * Of a base address: its path without a trailing slash, `""` for none.
   * Of a whole address: path and query as written, at least `/`.
   */
  path: string;
  /** `Basic …` made of `user:pass@`, only in a whole address (RFC 7617). */
  authorization?: string;
}

const BASE = /^https?:\/\/[^/?#\\@,]+(?:\/[^?#\\]*)?$/i;
const WHOLE = /^https?:\/\/[^/?#\\]/i;
// Neither printable ASCII nor beyond it.
const CONTROLS = /[^ -~\u0080-\uffff]/;
/** Of a name: look-ups forgive what lists of names do not (RFC 1035 §2.3.1), and some URL parsers lose an encoded IPv4. */
const EMPTY_PART = /^$|^\.|\.\./;
const ORIGIN = /^[^:/?#]*:\/\/[^/?#]*/;
const REQUEST_TARGET = /^[\x21-\x5b\x5d-\x7e]*$/;

/**
 * Reads a base address: `http` or `https`, a host, and at most a path.
 * Results are remembered, because the same few bases come with every request.
 *
 * @returns `undefined` when it is none (a query, fragment or `user:pass@` is refused too)
 */
export const decodeBase: (text: string) => Address | undefined = memoize((text) => {
  const base = BASE.test(text) && !/\s/.test(text) ? parse(text) : undefined;
  return base && { origin: onlyOrigin(base), path: dropLastSlashes(base.pathname) };
});

/**
 * Reads a whole address. Path and query stay as written, byte for byte, where they are printable ASCII without a
 * backslash; else they are what the URL standard makes of them. A fragment is dropped (RFC 9110 §7.1).
 *
 * @returns `undefined` when it is no absolute `http` or `https` address
 */
export function decodeAddress(text: string): Address | undefined {
  const url = WHOLE.test(text) ? parse(text) : undefined;
  if (!url) return undefined;
  const [beforeFragment = ""] = text.split("#", 1);
  const end = beforeFragment.slice(8).search(/[/?\\]/);
  const written = end < 0 ? "/" : beforeFragment.slice(8 + end);
  const path = written.startsWith("?") ? `/${written}` : written;
  const authorization = basicCredentials(url);
  return {
    origin: onlyOrigin(url),
    path: REQUEST_TARGET.test(path) ? path : url.pathname + url.search,
    ...(authorization && { authorization }),
  };
}

/**
 * Path and query of an incoming request, as the runtime gives them, at least `/`; `*` as it is. A `/` in the query of
 * an address without a path is none of a path (RFC 9112 §3.2.2).
 * `#…` is dropped, and what is not printable ASCII is percent-encoded as UTF-8, because servers may hand it in decoded.
 */
export function readRequestPath(url: string): string {
  if (url === "*") return url;
  const path = url.startsWith("/") ? url : readBehindOrigin(url);
  if (REQUEST_TARGET.test(path) && !path.includes("#")) return path;
  const [beforeFragment = "/"] = path.split("#", 1);
  return encodeText(beforeFragment);
}

function readBehindOrigin(url: string): string {
  const [origin] = ORIGIN.exec(url) ?? [url];
  const rest = url.slice(origin.length);
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** The text with everything but printable ASCII percent-encoded as UTF-8; half a surrogate pair as U+FFFD. */
export function encodeText(text: string): string {
  return text.replace(/[^\x21-\x7e]+/g, (part) => {
    const bytes = [...new TextEncoder().encode(part)];
    return bytes.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
  });
}

/**
 * The text of a field value with the bytes beyond ASCII percent-encoded: a value has one character per byte, browsers
 * take the bytes for UTF-8, and `URL` would encode the characters again.
 */
export function encodeBytes(value: string): string {
  return value.replace(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The absolute address of a path on an origin, for messages, `Location` and `x-final-url`. */
export function formatAddress(address: Address): string {
  return address.origin.origin + address.path;
}

/** The port that is dialled, the scheme's own where none is written. */
export function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === "https:" ? 443 : 80);
}

function parse(text: string): URL | undefined {
  if (CONTROLS.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return EMPTY_PART.test(url.hostname) ? undefined : url;
}

/** No regular expression does that in linear time. */
function dropLastSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}

function onlyOrigin(url: URL): URL {
  return new URL(url.origin);
}

function basicCredentials({ username, password }: URL): string | undefined {
  if (!username && !password) return undefined;
  const bytes = new TextEncoder().encode(`${decodeText(username)}:${decodeText(password)}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
