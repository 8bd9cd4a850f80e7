/**
 * For callers: builds the addresses that the proxy understands. Runs in browsers too.
 * @module
 */

import { encodeArg } from "./arg.ts";
import { encodeLabel } from "./label.ts";
import { signLink } from "./signature.ts";

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
  /** Until when the link is good: a `Date`, or Unix seconds. */
  expires?: Date | number;
}

/**
 * The link that forwards to an address: `{base}/__proxy__/?url=…`.
 *
 * @param base the proxy's own address, such as `http://localhost:8080` or `https://a.test/proxy`
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
 */
export function createFetch(base: string | URL, options: FetchOptions = {}): Fetch {
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

async function buildLink(base: string | URL, path: string, { key, expires }: SignOptions): Promise<string> {
  const seconds = expires instanceof Date ? expires.getTime() / 1000 : expires;
  const signed = seconds === undefined ? path : `${path}&exp=${Math.floor(seconds)}`;
  const signature = key === undefined ? "" : `&sig=${await signLink(signed, key)}`;
  return trimBase(base) + signed + signature;
}

/** A proxy may stand behind a path; a link is signed without it. */
function trimBase(base: string | URL): string {
  const { origin, pathname } = new URL(base);
  return origin + pathname.replace(/\/$/, "");
}

/** Runtimes change a raw `'` in a query, which would break the signature. */
function encodeParameter(text: string): string {
  return encodeURIComponent(text).replaceAll("'", "%27");
}
