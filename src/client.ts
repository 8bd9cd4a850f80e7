/**
 * For callers: builds links to the proxy, and a `fetch` through it. Runs in browsers too.
 * @module
 */

import { encodeArg } from "./address/arg.ts";
import { encodeLabel } from "./address/label.ts";
import type { FetchArgument, SignOptions } from "./address/link.ts";
import { signLink } from "./address/signature.ts";

/** The longest address that a proxy takes on every runtime, in characters. */
const MAX_LINK_LENGTH = 60_000;
/** The limit of `exp`, in Unix seconds: proxies read 12 digits. Times in milliseconds exceed it. */
const EXP_LIMIT = 1e12;

/** Fields that carry the proxy's token; they never go to the target. */
const TOKEN_FIELDS: ReadonlySet<string> = new Set(["proxy_token", "proxy-token", "proxy-authorization"]);

export type { FetchArgument, SignOptions };

/**
 * The link that forwards to an address: `{base}/__proxy__/?url=…`.
 *
 * @param base the proxy's own address, such as `http://localhost:8080` or `https://a.test/proxy`
 * @throws {TypeError} (as a rejection) when the base is no `http` or `https` address
 * @throws {RangeError} (as a rejection) when `expires` is no time
 * @example
 * ```ts
 * await proxyUrl("http://localhost:8080", "https://example.com/");
 * // http://localhost:8080/__proxy__/?url=https%3A%2F%2Fexample.com%2F
 * ```
 */
export function proxyUrl(
  base: string | URL,
  target: string | URL,
  options: SignOptions = {},
): Promise<string> {
  return buildLink(base, `/__proxy__/?url=${encodeParameter(String(target))}`, options);
}

/**
 * The link that issues a whole request: `{base}/__proxy__/fetch?arg=…`.
 *
 * @param base the proxy's own address, such as `http://localhost:8080` or `https://a.test/proxy`
 * @throws {TypeError} (as a rejection) when the base is no `http` or `https` address
 * @throws {RangeError} (as a rejection) when `expires` is no time
 * @example
 * ```ts
 * const argument = { url: "https://example.com/items", method: "POST", body: { name: "tea" } };
 * await fetchUrl("http://localhost:8080", argument, { key, expires: new Date(Date.now() + 60_000) });
 * ```
 */
export function fetchUrl(
  base: string | URL,
  argument: FetchArgument,
  options: SignOptions = {},
): Promise<string> {
  return buildLink(base, `/__proxy__/fetch?arg=${encodeArg(argument)}`, options);
}

/**
 * The host label of a base address: `https://example.com` → `example-com`.
 *
 * @throws {TypeError} when the target is no absolute `http` or `https` address
 * @throws {RangeError} when the host does not fit a label
 * @example
 * ```ts
 * labelFor("https://example.com"); // example-com
 * ```
 */
export function labelFor(target: string | URL): string {
  return encodeLabel(target);
}

/** What `fetch` is to its callers. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** How `createFetch` reaches the proxy: by default with each request as it is, and unsigned. */
export interface FetchOptions extends SignOptions {
  /**
   * `url` (the default) hands on method, headers and body of each request as they are. A body goes out whole and with
   * its length; only a stream given as `init.body` stays one, which browsers send over HTTP/2 alone.
   *
   * `arg` sends the JSON that describes the request, so that nothing of the page itself goes to the target. Its body is
   * UTF-8 text. With a `key` the whole request must fit a link of 60 000 characters: what is posted can't be signed.
   */
  mode?: "url" | "arg";
}

/**
 * Makes a `fetch` that goes through a proxy, to be used in place of the global one.
 *
 * `redirect` means what it does there. In `url` mode the proxy itself follows for GET and HEAD, so with `manual` and
 * `error` those go as in `arg` mode. Other methods are redirected to a link of the proxy there, which is never signed:
 * a proxy that wants its token refuses it.
 *
 * @param base the proxy's own address, such as `http://localhost:8080` or `https://a.test/proxy`
 * @returns a function that rejects as `fetch` does, with a `TypeError` also for a body that `arg` can't describe, and
 * with a `RangeError` for a signed one that is too long
 * @throws {TypeError} when the base is no `http` or `https` address
 * @throws {RangeError} when `expires` is no time
 * @example
 * ```ts
 * const fetch = createFetch("http://localhost:8080");
 * const response = await fetch("https://example.com/items", { method: "PUT", body: "tea" });
 * ```
 */
export function createFetch(base: string | URL, options: FetchOptions = {}): Fetch {
  // Bad options throw here, not at the first request.
  trimBase(base);
  readEnd(options);
  // Read now: the caller may later replace the global `fetch` with this one.
  const send = globalThis.fetch;
  return async (input, init) => {
    checkUnread(input, init);
    const request = new Request(input, init);
    const isDescribed = options.mode === "arg" || (request.redirect !== "follow" && isSafe(request));
    const isStream = init?.body instanceof ReadableStream;
    const [address, parts] = isDescribed
      ? await describe(base, request, options)
      : await handOn(base, request, options, isStream);
    return await send(address, { ...readManner(request), ...parts });
  };
}

/**
 * Refuses a request whose body was already read (Fetch §5.4). `new Request` of Bun (1.4) accepts it with an empty body.
 */
function checkUnread(input: string | URL | Request, init?: RequestInit): void {
  if (!(input instanceof Request && input.bodyUsed) || (init?.body ?? null) !== null) return;
  throw new TypeError("Cannot send this request: its body was already read");
}

/** A request to the proxy: its address, and the options that differ from the caller's. */
type Parts = [address: string, parts: RequestInit & { duplex?: "half" }];

/** The request that is handed on as it is. */
async function handOn(
  base: string | URL,
  request: Request,
  options: SignOptions,
  isStream: boolean,
): Promise<Parts> {
  const { method, headers, body } = request;
  const link = await proxyUrl(base, request.url, options);
  if (isStream && body) return [link, { method, headers, body, duplex: "half" }];
  // A body in memory has a length. Browsers cannot send a stream over HTTP/1.1.
  const bytes = await readBody(request);
  // As a Blob: Node (20) transfers plain bytes, and could not send them again after a 307.
  return [link, { method, headers, body: bytes.byteLength > 0 ? new Blob([bytes]) : null }];
}

/** The request that describes another one. */
async function describe(base: string | URL, request: Request, options: SignOptions): Promise<Parts> {
  const { url, method, redirect, cache } = request;
  // Bun (1.4) reports the implied content type of a body only until the body is read.
  const fields = [...request.headers];
  const bytes = await readBody(request);
  const argument: FetchArgument = {
    url,
    method,
    headers: Object.fromEntries(fields.filter(([name]) => !TOKEN_FIELDS.has(name))),
    ...(bytes.byteLength > 0 && { body: decodeText(bytes) }),
    ...(redirect !== "follow" && { redirect: "manual" }),
  };
  const headers = fields.filter(([name]) => TOKEN_FIELDS.has(name));
  // A HEAD stays one, because the answer to a POST would have a length of its own.
  if (options.key === undefined && method !== "HEAD") {
    const address = `${trimBase(base)}/__proxy__/fetch`;
    return [address, { method: "POST", headers, body: JSON.stringify(argument) }];
  }
  const link = await fetchUrl(base, argument, options);
  if (link.length > MAX_LINK_LENGTH) {
    throw new RangeError(
      `Cannot write the link: it has ${link.length} characters, expected at most ${MAX_LINK_LENGTH}`,
    );
  }
  // The described request must run every time, whatever a browser would cache for a GET.
  const kept = isSafe(request) ? cache : cache && "no-store";
  return [link, { method: method === "HEAD" ? method : "GET", headers, cache: kept }];
}

/** True for the methods with which the proxy itself follows redirects in `url` mode. */
function isSafe({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

/** Options that also apply to the request to the proxy. A runtime leaves out those that it does not know. */
function readManner(request: Request): RequestInit {
  const { signal, redirect, credentials, cache, mode, keepalive, integrity, referrer, referrerPolicy } =
    request;
  const manner = { signal, redirect, credentials, cache, keepalive, integrity, referrer, referrerPolicy };
  // A service worker can read mode `navigate`, but nobody can request it.
  return mode === "navigate" ? manner : { ...manner, mode };
}

/** Reads the body until the request is aborted. Firefox has bodies but no `Request.body`. */
async function readBody(request: Request): Promise<ArrayBuffer> {
  const { signal } = request;
  signal.throwIfAborted();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  return await Promise.race([request.arrayBuffer(), aborted]);
}

/** Decodes a body; `Request.text` would silently replace invalid UTF-8. */
function decodeText(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new TypeError('Cannot describe this body: it is not UTF-8. Send text, or use mode "url"', {
      cause,
    });
  }
}

async function buildLink(base: string | URL, path: string, options: SignOptions): Promise<string> {
  const start = trimBase(base);
  const end = readEnd(options);
  const signed = end === undefined ? path : `${path}&exp=${end}`;
  const signature = options.key === undefined ? "" : `&sig=${await signLink(signed, options.key)}`;
  return start + signed + signature;
}

/** The end of a link in whole Unix seconds. */
function readEnd({ expires }: SignOptions): number | undefined {
  if (expires === undefined) return undefined;
  const seconds = Math.floor(expires instanceof Date ? expires.getTime() / 1000 : expires);
  if (seconds >= 0 && seconds < EXP_LIMIT) return seconds;
  throw new RangeError(
    `Cannot end a link at ${expires}: it is not a time, expected a valid Date or Unix seconds below ${EXP_LIMIT}`,
  );
}

/** A proxy may stand behind a path; a link is signed without it. */
function trimBase(base: string | URL): string {
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      `Cannot use base ${base}: it is not an http or https address, expected one such as http://localhost:8080`,
    );
  }
  return url.origin + url.pathname.replace(/\/$/, "");
}

/** Runtimes change a raw `'` in a query, which would break the signature. */
function encodeParameter(text: string): string {
  return encodeURIComponent(text).replaceAll("'", "%27");
}
