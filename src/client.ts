/**
 * For callers: builds the addresses that the proxy understands. Runs in browsers too.
 * @module
 */

import { encodeArg } from "./arg.ts";
import { encodeLabel } from "./label.ts";
import { signLink } from "./signature.ts";

/** The first `exp` that is too large, in Unix seconds: proxies read 12 digits. Times in milliseconds are above it. */
const EXP_LIMIT = 1e12;

/** The request that an `arg` link describes (specification 2.1). */
export interface FetchArgument {
  /** Absolute `http` or `https` address. */
  url: string;
  /** Any token but `CONNECT` and `TRACE`; `GET` by default. */
  method?: string;
  headers?: Record<string, string>;
  /** A string goes out as it is, any other value as JSON (an object as a form where `content-type` says so). */
  body?: unknown;
  /** `manual` hands a 3xx on as the target sent it; `follow` by default. */
  redirect?: "follow" | "manual";
}

/** How a link is signed, for proxies with `SIGNING_KEY`. */
export interface SignOptions {
  /** The key of the proxy. Whoever has it can make links: keep it out of pages. */
  key?: string;
  /** Until when a signed link is good: a `Date`, or Unix seconds (12 digits at most). For ever by default. */
  expires?: Date | number;
}

/**
 * The link that forwards to an address: `{base}/__proxy__/?url=…`.
 *
 * @param base the proxy's own address, such as `http://localhost:8080` or `https://a.test/proxy`
 * @throws {TypeError} (as a rejection) when the base is no `http` or `https` address
 * @throws {RangeError} when `expires` is no time
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
 * @throws as `proxyUrl` does
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
 * @throws {RangeError} when the host does not fit a label
 */
export function labelFor(target: string | URL): string {
  return encodeLabel(target);
}

/** What `fetch` is to its callers. */
export type Fetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

/** How `createFetch` reaches the proxy. */
export interface FetchOptions extends SignOptions {
  /**
   * `url` hands on method, headers and body of each request as they are; `arg` sends it as the JSON that describes it,
   * with text as its body, so that nothing of the page itself goes to the target.
   */
  mode?: "url" | "arg";
}

/**
 * Makes a `fetch` that goes through a proxy, to be used in place of the global one.
 *
 * @param base the proxy's own address, such as `http://localhost:8080` or `https://a.test/proxy`
 * @throws {TypeError} when the base is no `http` or `https` address
 * @throws {RangeError} when `expires` is no time
 */
export function createFetch(base: string | URL, options: FetchOptions = {}): Fetch {
  // What is wrong shows here, not at the first request.
  trimBase(base);
  readEnd(options);
  const { mode = "url" } = options;
  return async (input, init) => {
    const request = new Request(input, init);
    if (mode === "arg") return await fetch(await describe(base, request));
    const { method, headers, body, signal, credentials } = request;
    const target = await proxyUrl(base, request.url, options);
    const parts: RequestInit & { duplex: "half" } = {
      method,
      headers,
      body,
      signal,
      credentials,
      duplex: "half",
    };
    return await fetch(target, parts);
  };
}

/** The request that posts the description of another one. */
async function describe(base: string | URL, request: Request): Promise<Request> {
  const { url, method, signal, redirect } = request;
  const argument: FetchArgument = {
    url,
    method,
    headers: Object.fromEntries(request.headers),
    ...(request.body && { body: await request.text() }),
    ...(redirect === "manual" && { redirect }),
  };
  const body = JSON.stringify(argument);
  return new Request(`${trimBase(base)}/__proxy__/fetch`, { method: "POST", body, signal });
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
    `Cannot end a link at ${expires}: it is no such time, expected a valid Date or Unix seconds below ${EXP_LIMIT}`,
  );
}

/** A proxy may stand behind a path; a link is signed without it. */
function trimBase(base: string | URL): string {
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      `Cannot use base ${base}: it is no http or https address, expected one such as http://localhost:8080`,
    );
  }
  return url.origin + url.pathname.replace(/\/$/, "");
}

/** Runtimes change a raw `'` in a query, which would break the signature. */
function encodeParameter(text: string): string {
  return encodeURIComponent(text).replaceAll("'", "%27");
}
