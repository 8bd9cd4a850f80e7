/**
 * Links to the proxy: `{base}/__proxy__/…`, with their expiry and their signature.
 * @module
 */

import { encodeArg } from "../core/address/arg.ts";
import type { FetchArgument, SignOptions } from "./link-content.ts";
import { signLink } from "../core/address/signature.ts";
import { hideUserinfo, parsePlainUrl } from "../core/address/plain-url.ts";

/** The limit of `exp`, in Unix seconds: proxies read 12 digits. Times in milliseconds exceed it. */
const EXP_LIMIT = 1e12;

/**
 * The link that forwards to an address: `{base}/__proxy__/?url=…`.
 *
 * @param base the proxy's own address, such as `http://localhost:8080` or `https://a.test/proxy`
 * @param target absolute, `http` or `https`; `ws` and `wss` for a WebSocket
 * @throws {TypeError} (as a rejection) when the base is no `http` or `https` address, or the target is not absolute
 * @throws {RangeError} (as a rejection) when `expires` is no time
 * @example
 * ```ts
 * await proxyUrl("http://localhost:8080", "https://example.com/");
 * // http://localhost:8080/__proxy__/?url=https%3A%2F%2Fexample.com%2F
 * ```
 */
export async function proxyUrl(
  base: string | URL,
  target: string | URL,
  options: SignOptions = {},
): Promise<string> {
  const address = checkTarget(target, /^(?:https?|wss?)$/i);
  return await buildLink(base, `/__proxy__/?url=${encodeParameter(address)}`, options);
}

/**
 * The link that issues a whole request: `{base}/__proxy__/fetch?arg=…`.
 *
 * @param base the proxy's own address, such as `http://localhost:8080` or `https://a.test/proxy`
 * @throws {TypeError} (as a rejection) when the base or the argument's `url` is no absolute `http` or `https` address
 * @throws {RangeError} (as a rejection) when `expires` is no time
 * @example
 * ```ts
 * const argument = { url: "https://example.com/items", method: "POST", body: { name: "tea" } };
 * await fetchUrl("http://localhost:8080", argument, { key, expires: new Date(Date.now() + 60_000) });
 * ```
 */
export async function fetchUrl(
  base: string | URL,
  argument: FetchArgument,
  options: SignOptions = {},
): Promise<string> {
  checkTarget(argument.url);
  return await buildLink(base, `/__proxy__/fetch?arg=${encodeArg(argument)}`, options);
}

/**
 * Builds a link.
 *
 * @param path from `/__proxy__/` on; with a query, because `exp` and `sig` are appended with `&`
 */
async function buildLink(base: string | URL, path: string, options: SignOptions): Promise<string> {
  const start = trimBase(base);
  const end = readEnd(options);
  const signed = end === undefined ? path : `${path}&exp=${end}`;
  const signature = options.key === undefined ? "" : `&sig=${await signLink(signed, options.key)}`;
  return start + signed + signature;
}

/**
 * The time at which a link expires, in whole Unix seconds.
 *
 * @throws {RangeError} when it is no time
 */
export function readEnd({ expires }: SignOptions): number | undefined {
  if (expires === undefined) return undefined;
  const seconds = Math.floor(expires instanceof Date ? expires.getTime() / 1000 : expires);
  if (seconds >= 0 && seconds < EXP_LIMIT) return seconds;
  throw new RangeError(
    `Cannot end a link at ${expires}: it is not a time, expected a valid Date or Unix seconds below ${EXP_LIMIT}`,
  );
}

/**
 * The base without a trailing slash. A proxy may be mounted at a path; a link is signed without that path.
 *
 * @throws {TypeError} when it is no `http` or `https` address
 */
export function trimBase(base: string | URL): string {
  const url = parsePlainUrl(base);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      `Cannot use base ${base}: it is not an http or https address, expected one such as http://localhost:8080`,
    );
  }
  return url.origin + url.pathname.replace(/\/$/, "");
}

/**
 * Checks that a target is an absolute address, before a link hides the mistake. To every URL parser, `localhost:3000` has
 * the scheme `localhost:`.
 *
 * @param schemes matches the allowed schemes, without their colon; the error always suggests `http` or `https`
 * @returns the same address as text
 * @throws {TypeError} saying what is wrong with it
 */
export function checkTarget(target: string | URL, schemes: RegExp = /^https?$/i): string {
  const text = String(target);
  // There may be a password in front of the `@`.
  const shown = hideUserinfo(text);
  const refuse = (state: string, expected: string): never => {
    throw new TypeError(`Cannot use target ${JSON.stringify(shown)}: ${state}, expected ${expected}`);
  };
  const [, scheme, slashes = ""] = /^([a-z][a-z\d+.-]*):(\/{0,2})/i.exec(text) ?? [];
  if (scheme === undefined) {
    return refuse("it has no scheme", "an absolute address such as https://example.com/");
  }
  if (!schemes.test(scheme)) {
    const isHost = slashes === "" && /^[^:]*:\d/.test(text);
    return refuse(`its scheme is ${scheme}:`, isHost ? `http://${shown}` : "http or https");
  }
  if (slashes !== "//") {
    return refuse(`nothing but a scheme stands in front of the host`, `${scheme}:// in front`);
  }
  if (!parsePlainUrl(text)) {
    return refuse("its host or port is malformed", "one such as https://example.com:8443/");
  }
  return text;
}

/** Runtimes change a raw `'` in a query, which would break the signature. */
function encodeParameter(text: string): string {
  return encodeURIComponent(text).replaceAll("'", "%27");
}
