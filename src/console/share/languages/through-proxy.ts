/**
 * Rewrites a request so that it reaches its target through this proxy, with the very same fields.
 * @module
 */

import { encodeArg } from "../../../core/address/arg.ts";
import { isReserved } from "../../../core/address/reserved-paths.ts";
import { requestFate } from "../../../core/http/headers.ts";
import { isOwnedByProxy } from "../../../core/http/owned-fields.ts";
import type { NamedProxy } from "../../page/own-requests.ts";
import { listFields, type PlainRequest, readPlace, tellName } from "./request-parts.ts";
import { writeCurl } from "./shell.ts";

/** Fields about a caller that the proxy reads, in addition to those that it drops or rewrites. */
const OF_CALLER = /^(?:service-worker|sec-.*)$/;

/** The argument that shows the token, which the shell knows. */
export const TOKEN = '-H "proxy_token: $PROXY_TOKEN"';

/**
 * Writes the request to the proxy. Its path and `proxy_host` name the target. Fields that the proxy would drop or rewrite
 * travel in `proxy_headers`. The notes say what this way cannot do.
 *
 * @param base the proxy's own address, without a trailing slash
 */
export function throughProxy(request: PlainRequest, base: string) {
  const { path } = readPlace(request.url);
  const isPath = !isReserved(path);
  const url = isPath ? base + path : `${base}/__proxy__/fetch?url=${encodeURIComponent(request.url)}`;
  const steering: [string, string][] = isPath ? [["proxy_host", new URL(request.url).origin]] : [];
  const notes = isPath ? [] : ["Follows redirects"];
  const plain: [string, string][] = [];
  const carried = new Map<string, string>();
  for (const [name, value] of listFields(request)) {
    const key = name.toLowerCase();
    if (!isCarried(key, value)) plain.push([name, value]);
    else if (isOwnedByProxy(key)) notes.push(`${tellName(name)} is for the proxy to set`);
    else if (carried.has(key)) notes.push(`Only the first ${tellName(name)} goes out`);
    else carried.set(key, value);
  }
  if (carried.size > 0) steering.push(["proxy_headers", encodeArg(Object.fromEntries(carried))]);
  return { request: { ...request, url, headers: [...steering, ...plain] }, notes };
}

/** Writes the request through the proxy as a `curl` command; notes stand above it. */
export function writeProxiedCurl(
  request: PlainRequest,
  { base, needsToken }: NamedProxy,
): string {
  const { request: proxied, notes } = throughProxy(request, base);
  const command = writeCurl(proxied, needsToken ? [TOKEN] : []);
  return [...notes.map((note) => `# ${note}`), command].join("\n");
}

/** True if a field that stands in a request to the proxy would not reach the target as it is. Takes the lower-case name. */
export function isCarried(name: string, value: string): boolean {
  // The proxy removes only its own cookies.
  if (name === "cookie") return value.includes("proxy_");
  return requestFate(name) !== "pass" || OF_CALLER.test(name) || isOwnedByProxy(name);
}
