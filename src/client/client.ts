/**
 * For callers: builds links to the proxy, and a `fetch` through it. Runs in browsers too.
 * @module
 */

import { encodeLabel } from "../core/address/label.ts";
import type { FetchArgument, FetchOptions, SignOptions } from "./link-content.ts";
import { checkTarget, fetchUrl, proxyUrl, readEnd, trimBase } from "./proxy-link.ts";
import { dropLength, readCallerFields } from "./caller-fields.ts";
import { type Asked, hasCredentials, isRedirect, nextRequest, readLocation } from "./next-request.ts";
import { buildProxied, isDescribed, isSafe, type Sender } from "./proxied-request.ts";
import { markRedirected, openResponse, readHead, type ResponseHead } from "./unseal.ts";

/** Maximum redirects to follow, as in browsers (Fetch §4.4). */
const MAX_REDIRECTS = 20;

export { fetchUrl, proxyUrl, readHead };
export type { FetchArgument, FetchOptions, ResponseHead, SignOptions };

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
  checkTarget(target);
  return encodeLabel(target);
}

/** The type of `fetch`. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * Makes a `fetch` that goes through a proxy, to be used in place of the global one.
 *
 * No field is silently dropped. Fields that a page may not set (`cookie`, `origin`, `referer`, `user-agent`, `date`, …) are
 * sent in `proxy_headers`. Fields that nobody may set (`host`, `connection`, …) cause a `TypeError`. Fields that a page may
 * not read (`Set-Cookie`) are in `readHead(response)`.
 *
 * `redirect` means the same as in `fetch`, but `manual` shows a sealed response with its status and `Location`. An error
 * of the proxy itself is never sealed; it has the field `proxy-status`. If responses are not sealed and the method is not
 * GET or HEAD, redirects lead to a link of the proxy, which is never signed.
 *
 * @param base the proxy's own address, such as `http://localhost:8080` or `https://a.test/proxy`
 * @returns a function that rejects as `fetch` does, also with a `TypeError` for a field that can't be sent or a body that
 * `arg` can't describe, and with a `RangeError` for a signed request that is too long
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
  const isPage = hidesFields();
  const sender: Sender = { ...options, seal: options.seal ?? isPage, isPage, base, send: globalThis.fetch };
  return async (input, init) => {
    checkUnread(input, init);
    const given = readCallerFields(input, init);
    const request = new Request(input, init);
    const isStream = init?.body instanceof ReadableStream && request.body &&
      !isDescribed(sender, request, request.method);
    // Bun (1.4) reports the implied content type of a body only until the body is read.
    const type = request.headers.get("content-type");
    const body = isStream ? request.body : await readBody(request);
    const fields = dropLength(given, body instanceof ArrayBuffer ? body.byteLength : undefined);
    if (type !== null && !fields.some(([name]) => name === "content-type")) {
      fields.push(["content-type", type]);
    }
    return await perform(sender, request, { url: request.url, method: request.method, fields, body });
  };
}

/** True if a `Request` silently drops fields, as in every browser. */
function hidesFields(): boolean {
  return !new Request("http://localhost", { headers: { cookie: "a=1" } }).headers.has("cookie");
}

/** Sends a request, and follows its redirects. */
async function perform(given: Sender, request: Request, first: Asked): Promise<Response> {
  const { send } = given;
  let asked = first;
  for (let hops = 0;; hops += 1) {
    const follows = request.redirect === "follow" && !isSafe(asked.method) &&
      !isDescribed(given, request, asked.method);
    // The runtime would take all fields along: to it, every target has the origin of the proxy.
    const isKept = follows && hasCredentials(asked.fields);
    // A page is told of no redirect unless it is sealed.
    const sender = isKept && given.isPage ? { ...given, seal: true } : given;
    const [address, parts] = await buildProxied(sender, request, asked);
    const response = await send(address, isKept ? { ...parts, redirect: "manual" } : parts);
    const opened = sender.seal ? openResponse(response, asked.url, hops > 0) : response;
    if (opened === response && hops > 0) markRedirected(response);
    const isShown = opened !== response || (isKept && !sender.seal);
    if (!isShown || !isRedirect(opened.status) || request.redirect === "manual") return opened;
    // If the proxy follows redirects itself, it returns only those that can't be followed.
    const next = follows ? nextRequest(asked, opened.status, readLocation(opened)) : undefined;
    if (!next && request.redirect === "follow") return opened;
    await opened.body?.cancel();
    if (!next) {
      throw new TypeError(`Cannot accept the redirect of ${new URL(asked.url).host}: redirect is "error"`);
    }
    if (hops >= MAX_REDIRECTS) throw new TypeError(`Too many redirects (limit ${MAX_REDIRECTS})`);
    asked = next;
  }
}

/**
 * Refuses a request whose body was already read (Fetch §5.4). `new Request` of Bun (1.4) accepts it with an empty body.
 */
function checkUnread(input: string | URL | Request, init?: RequestInit): void {
  if (!(input instanceof Request && input.bodyUsed) || (init?.body ?? null) !== null) return;
  throw new TypeError("Cannot send this request: its body was already read");
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
