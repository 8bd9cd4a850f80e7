/**
 * Parses target addresses: base addresses (host selectors) and whole addresses (`url`, `arg`);
 * names the selectors.
 * @module
 */

import { encodeBase64 } from "./base64url.ts";
import { parseUrl } from "./url.ts";
import { MANY, memoize, memoizeLast } from "../http/memo.ts";
import { decodePercent, encodeUtf8 } from "../http/text.ts";

/**
 * A parsed target address. Origin and path are separate, so that no path can change the host.
 *
 * @internal
 */
export interface Address {
  /** Scheme, host and port; without path, query, fragment and credentials. */
  origin: URL;
  /**
   * For a base address: its path without a trailing slash, `""` for none.
   * For a whole address: path and query as written, at least `/`.
   */
  path: string;
  /** `Basic …` from `user:pass@`, in a whole address only (RFC 7617). */
  authorization?: string;
}

const BASE = /^https?:\/\/[^/?#\\@,]+(?:\/[^?#\\]*)?$/i;
const WHOLE = /^https?:\/\/[^/?#\\]/i;
/** Control characters: neither printable ASCII nor beyond ASCII. */
export const CONTROLS = /[^ -~\u0080-\uffff]/;
/**
 * Empty labels resolve, but would slip past allow and deny lists (RFC 1035 §2.3.1). Some URL parsers lose
 * an encoded IPv4.
 */
const EMPTY_PART = /^$|^\.|\.\./;
const ORIGIN = /^[^:/?#]*:\/\/[^/?#]*/;
const REQUEST_TARGET = /^[\x21-\x5b\x5d-\x7e]*$/;

/** Equal origins are the same object as long as they are cached, so that caches can use it as a key. Nothing changes it. */
const parseOrigin = memoize((origin) => new URL(origin), MANY);

/**
 * Parses a base address: `http` or `https`, a host, and optionally a path. Results are cached, because requests repeat
 * the same few bases.
 *
 * @returns `undefined` when it is not one (a query, fragment or `user:pass@` is refused too)
 */
export const decodeBase: (text: string) => Address | undefined = memoize((text) => {
  const base = BASE.test(text) && !/\s/.test(text) ? parse(text) : undefined;
  return base && { origin: parseOrigin(base.origin), path: dropLastSlashes(base.pathname) };
}, MANY);

/**
 * Parses a whole address. Path and query stay byte for byte if they are printable ASCII without a backslash; otherwise
 * the URL standard's encoding applies. A fragment is dropped (RFC 9110 §7.1).
 *
 * @returns `undefined` when it is not an absolute `http` or `https` address
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
    origin: parseOrigin(url.origin),
    path: REQUEST_TARGET.test(path) ? path : url.pathname + url.search,
    ...(authorization && { authorization }),
  };
}

/**
 * Path and query of an incoming request, as the runtime gives them, at least `/`; `*` stays. In an address without a
 * path, a `/` in the query starts no path (RFC 9112 §3.2.2). `#…` is dropped. Everything but printable ASCII is
 * percent-encoded as UTF-8, because some servers pass it on decoded.
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
    const bytes = [...encodeUtf8(part)];
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

/** Host and port as in `Host`. Remembered, because a runtime makes their text at each read. */
export const hostOf: (origin: URL) => string = memoizeLast((origin) => origin.host);

/** The port to dial; the scheme's default if none is written. */
export function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === "https:" ? 443 : 80);
}

/** The scheme that a caller asked for: `ws` and `wss` for a WebSocket. */
export function schemeOf({ protocol }: URL, isSocket: boolean): string {
  return (isSocket ? protocol.replace("http", "ws") : protocol).slice(0, -1);
}

function parse(text: string): URL | undefined {
  const url = CONTROLS.test(text) ? undefined : parseUrl(text);
  // Nobody can listen on port 0, and it must not count as the port that is left out.
  return url && !EMPTY_PART.test(url.hostname) && url.port !== "0" ? url : undefined;
}

/** Drops slashes at the end. A regular expression would not run in linear time. */
function dropLastSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}

function basicCredentials({ username, password }: URL): string | undefined {
  if (!username && !password) return undefined;
  const [name, word] = [username, password].map((text) => decodePercent(text) ?? text);
  return `Basic ${encodeBase64(encodeUtf8(`${name}:${word}`))}`;
}

/**
 * `header`, `cookie` and `label` are the host selectors. `preset` is the setting `TARGET`, used without them. `url` and
 * `arg` give a whole address, `at` a label in the path.
 */
export type Selector = "header" | "cookie" | "label" | "preset" | "url" | "arg" | "at";

/** True for a selector by which every path outside `/__proxy__/` leads to the target; false for `url`, `arg` and `at`. */
export function isByHost(selector: Selector): boolean {
  return selector !== "url" && selector !== "arg" && selector !== "at";
}

/** The names of the forms of other proxies, in the order in which they are tried: the narrowest comes first. */
export const ADDRESS_FORMS = ["git", "scalar", "corsproxy", "cors-anywhere"] as const;

/**
 * A form in which another proxy takes an address, named after the proxy that people know it from.
 * - `git`: `/github.com/o/r.git/info/refs?service=…`, for what git clients ask for only
 * - `scalar`: `/?scalar_url=…`
 * - `corsproxy`: `/?url=…` and `/?https://…`
 * - `cors-anywhere`: `/https://…` and `/example.com:443/…`
 *
 * @internal
 */
export type AddressForm = (typeof ADDRESS_FORMS)[number];
