/**
 * Checks the request line: method, `Max-Forwards`, target, and the size of address and header fields.
 * @module
 */

import { readParameter, readQuery } from "../address/query.ts";
import { hasAddress, RESERVED } from "../address/reserved-paths.ts";
import { parseUrl } from "../address/url.ts";
import { answerWith } from "../http/answer.ts";
import { cannotUse, NO_FORWARD_PROXY, ProxyError } from "../http/error.ts";
import type { Reply } from "../http/reply.ts";
import type { Incoming } from "../runtime.ts";

/** Maximum bytes of an address, and of all fields together. */
const MAX_BYTES = 65_536;
/** What messages call the address in the request line. */
const TARGET = "the request target";

/**
 * Refuses the methods that address the proxy itself (RFC 9110 §9.3.6, §9.3.8).
 *
 * @throws {ProxyError} `method_not_allowed` with `Allow`
 */
export function refuseMethod(method: string): void {
  if (method !== "TRACE" && method !== "CONNECT") return;
  const message = method === "CONNECT"
    ? `Cannot forward method CONNECT: ${NO_FORWARD_PROXY}`
    : "Cannot forward method TRACE: it is for the proxy itself. Use another method";
  throw new ProxyError("method_not_allowed", message, { headers: { allow: ALLOWED_METHODS } });
}

/**
 * Refuses plain http where the listener speaks https, and names the address to use (rule 7.12).
 *
 * @throws {ProxyError} `bad_request`
 */
export function refusePlain({ needsHttps, isAbsolute, headers }: Incoming): void {
  if (!needsHttps) return;
  // With an address in the request line, Host is that of another server.
  const host = isAbsolute ? null : headers.get("host");
  const url = parseUrl(`https://${host ?? ""}`);
  // A caller may write anything into Host: only a host and a port are repeated.
  const address = url && !url.username && !url.password ? `https://${url.host}` : "https";
  throw new ProxyError(
    "bad_request",
    `Cannot answer plain http: this port speaks https, expected ${address}`,
  );
}

/**
 * Refuses request targets that the runtime's server lets through: other schemes, and `*` without `OPTIONS`.
 *
 * @throws {ProxyError} `bad_request`
 * @see RFC 9112 §3.2
 */
export function checkRequestTarget({ method, url }: Pick<Incoming, "method" | "url">): void {
  if (url === "*") {
    if (method !== "OPTIONS") throw cannotUse(TARGET, "* is for OPTIONS only", "a path");
  } else if (!url.startsWith("/") && !/^https?:\/\//i.test(url)) {
    throw cannotUse(TARGET, "its scheme is not supported", "http or https");
  }
}

/**
 * Refuses requests that are too large for targets. The runtime's server accepts more for one reason: a browser with too
 * many cookies for the proxy must be able to clear them at `/__proxy__/?host=`.
 *
 * @param path the path without the mount path
 * @throws {ProxyError} `address_too_long` or `fields_too_large`
 * @see RFC 6585 §5
 */
export function checkSizes(
  { url, fieldBytes = 0 }: Pick<Incoming, "url" | "fieldBytes">,
  path: string,
  mountPath: string,
): void {
  if (url.length > MAX_BYTES) {
    throw new ProxyError(
      "address_too_long",
      "Cannot use the request target: it is too long, expected at most 64 KiB",
    );
  }
  if (fieldBytes <= MAX_BYTES || hasHost(path)) return;
  const way = `${mountPath}${RESERVED}/?host=`;
  throw new ProxyError(
    "fields_too_large",
    `Cannot take the request: its header fields are too large, expected at most 64 KiB. To drop cookies, open ${way}`,
  );
}

/** True for `/__proxy__/` with a host that is stored or cleared. */
function hasHost(path: string): boolean {
  if (!/^\/__proxy__\/?\?/.test(path) || hasAddress(path)) return false;
  return readParameter(readQuery(path), "host") !== undefined;
}

/** The methods of an `Allow` field; every other token but TRACE and CONNECT is forwarded too. */
const ALLOWED_METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/** True for `OPTIONS *`, and for `Max-Forwards: 0`. */
export function asksProxy({ method, headers }: Pick<Incoming, "method" | "headers">, path: string): boolean {
  if (method !== "OPTIONS") return false;
  const hops = headers.get("max-forwards")?.split(",") ?? [];
  return path === "*" || hops.some((left) => /^0+$/.test(left.trim()));
}

/** Answers OPTIONS for the proxy itself. */
export function answerOptions(): Reply {
  return answerWith(204, [["allow", ALLOWED_METHODS]]);
}
