/**
 * The request to the proxy for a request of a caller: passed on unchanged, or described in an `arg`.
 * @module
 */

import { encodeArg } from "../core/address/arg.ts";
import type { FetchArgument, FetchOptions } from "./link-content.ts";
import { checkTarget, fetchUrl, proxyUrl, trimBase } from "./proxy-link.ts";
import { type FieldList, isLost, isTokenField, readTokenFields } from "./caller-fields.ts";
import type { Asked } from "./next-request.ts";

/** The longest address that a proxy takes on every runtime, in characters. */
const MAX_LINK_LENGTH = 60_000;
/** Cache modes for which a browser itself adds request fields. */
const SAID_IN_FIELDS: ReadonlySet<string> = new Set(["no-cache", "no-store", "reload"]);

/** Everything that the requests of one `createFetch` share. */
export interface Sender extends FetchOptions {
  readonly base: string | URL;
  readonly send: typeof fetch;
  /** True where `fetch` hides fields and redirects, as in a page. */
  readonly isPage: boolean;
}

/** A request to the proxy: its address, and its options. */
type Proxied = [address: string, init: RequestInit & { duplex?: "half" }];

/**
 * Builds the request to the proxy.
 *
 * @param request the caller's request, for the options that apply to the request to the proxy too
 * @throws {TypeError} (as a rejection) for a body that `arg` can't describe
 * @throws {RangeError} (as a rejection) for a signed description that is too long
 */
export async function buildProxied(sender: Sender, request: Request, asked: Asked): Promise<Proxied> {
  const describes = isDescribed(sender, request, asked.method);
  const [address, init] = await (describes ? describe : handOn)(sender, request, asked);
  return [address, { ...readManner(request), ...init }];
}

/** True for a request that is sent as a description, because otherwise the proxy itself would follow its redirects. */
export function isDescribed({ mode }: FetchOptions, { redirect }: Request, method: string): boolean {
  return mode === "arg" || (redirect !== "follow" && isSafe(method));
}

/** Builds the request that is passed on unchanged. */
async function handOn(
  sender: Sender,
  { cache }: Request,
  { url, method, fields, body }: Asked,
): Promise<Proxied> {
  const link = await proxyUrl(sender.base, url, sender);
  const carried = carryFields(sender, fields, cache);
  const headers = [
    ...fields.filter(([name]) => !isLost(name) && !isTokenField(name)),
    ...showSteering(sender, fields),
    ...(carried ? [["proxy_headers", encodeArg(carried)] as [string, string]] : []),
  ];
  // A response that depends on carried fields must neither come from the browser's cache nor go into it.
  // Older Workers have no caches, and refuse the member.
  const kept = carried && cache && { cache: "no-store" as const };
  if (body instanceof ReadableStream) return [link, { method, headers, body, duplex: "half", ...kept }];
  // As a Blob: plain bytes may be transferred, and could not be sent again after a 307.
  return [link, { method, headers, body: body?.byteLength ? new Blob([body]) : null, ...kept }];
}

/** The content of `proxy_headers`; `undefined` if there is nothing to send in it. */
function carryFields(
  { anonymous, seal }: Sender,
  fields: FieldList,
  cache: RequestCache,
): Record<string, string | null> | undefined {
  const lost = fields.filter(([name]) => isLost(name));
  if (!anonymous && !seal && lost.length === 0) return undefined;
  const isGiven = (name: string) => fields.some(([given]) => given === name);
  // A browser adds these two to a request that bypasses its cache.
  const added = SAID_IN_FIELDS.has(cache) ? [] : ["cache-control", "pragma"];
  const removed = [...added, ...(anonymous ? ["origin", "referer", "sec-*"] : [])];
  return {
    ...Object.fromEntries(removed.filter((name) => !isGiven(name)).map((name) => [name, null])),
    ...Object.fromEntries(lost),
  };
}

/** The fields for the proxy itself. */
function showSteering({ token, seal }: Sender, fields: FieldList): FieldList {
  return [...readTokenFields(fields, token), ...(seal ? [["proxy_seal", "1"] as [string, string]] : [])];
}

/** Builds the request that describes another one. */
async function describe(sender: Sender, request: Request, asked: Asked): Promise<Proxied> {
  const { redirect, cache } = request;
  const { url, method, fields, body } = asked;
  checkTarget(url);
  const argument: FetchArgument = {
    url,
    method,
    headers: Object.fromEntries(fields.filter(([name]) => !isTokenField(name))),
    ...(body instanceof ArrayBuffer && body.byteLength > 0 && { body: decodeText(body) }),
    ...(redirect !== "follow" && { redirect: "manual" }),
  };
  const headers = showSteering(sender, fields);
  // A HEAD is sent as a HEAD, because the response to a POST would have a length of its own.
  if (sender.key === undefined && method !== "HEAD") {
    const address = `${trimBase(sender.base)}/__proxy__/fetch`;
    return [address, { method: "POST", headers, body: JSON.stringify(argument) }];
  }
  const link = await fetchUrl(sender.base, argument, sender);
  if (link.length > MAX_LINK_LENGTH) {
    throw new RangeError(
      `Cannot write the link: it has ${link.length} characters, expected at most ${MAX_LINK_LENGTH}`,
    );
  }
  // The described request must run every time, whatever a browser would cache for a GET.
  const kept = isSafe(method) && !sender.seal ? cache : cache && "no-store";
  return [link, { method: method === "HEAD" ? method : "GET", headers, cache: kept }];
}

/** True for the methods with which the proxy itself follows redirects in `url` mode. */
export function isSafe(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/** Options that also apply to the request to the proxy. A runtime ignores those that it does not know. */
function readManner(request: Request): RequestInit {
  const { signal, redirect, credentials, cache, mode, keepalive, integrity, referrer, referrerPolicy } =
    request;
  const manner = { signal, redirect, credentials, cache, keepalive, integrity, referrer, referrerPolicy };
  // A service worker can read mode `navigate`, but nobody can request it; `no-cors` would silently drop fields.
  return mode === "navigate" || mode === "no-cors" ? manner : { ...manner, mode };
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
