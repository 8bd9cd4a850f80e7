/**
 * A key is bound to one host, so a request with a key must not name another host in its headers: servers that share an
 * address choose the host by them (rule 9.5).
 * @module
 */

import { ProxyError } from "../../core/http/error.ts";
import { Fields } from "../../core/http/fields.ts";
import { memoize } from "../../core/http/memo.ts";
import type { Dress, Exchange } from "../../core/exchange/exchange.ts";
import { isOwnName } from "../../core/may/private-targets.ts";

/** Headers that some servers read in place of Host. */
const NAMING = /^(?:forwarded|x-forwarded-(?:host|server)|x-(?:original-)?host|x-(?:http-)?host-override)$/;
/** The `host` parameter of the `Forwarded` header that the proxy writes (RFC 7239 §5.3). */
const HOST_PARAMETER = /;host="[^"]*"/;

/** The naming headers that FORWARD_CLIENT writes. */
const WRITTEN = ["forwarded", "x-forwarded-host"];

/** Memoized, because the same few names recur. CGI reads `_` and `-` as the same character (RFC 3875 §4.1.18). */
const isNaming = memoize((name) => NAMING.test(name.replaceAll("_", "-")));

/** The headers of a request with a key, without those in which the caller names a host other than this proxy. */
export function dropNames(
  headers: Dress["headers"],
  exchange: Pick<Exchange, "caller" | "config">,
): Dress["headers"] {
  const names = new Set<string>();
  headers.forEach((_, name) => void (isNaming(name) && names.add(name)));
  if (names.size === 0) return headers;
  // With FORWARD_CLIENT, only the proxy writes these headers.
  const { config: { forwardClient } } = exchange;
  if (forwardClient && isOwnName(exchange)) { for (const name of WRITTEN) names.delete(name); }
  const bound = new Fields(headers);
  for (const name of names) {
    const value = name === "forwarded" && forwardClient ? headers.get(name) : null;
    if (value === null) bound.delete(name);
    else bound.set(name, value.replace(HOST_PARAMETER, ""));
  }
  return bound;
}

/**
 * Refuses to send the caller's own Host together with a key, unless that Host is a name of this proxy.
 *
 * @throws {ProxyError} `forbidden`
 */
export function checkHostBeside(exchange: Exchange, { host }: URL): void {
  if (exchange.caller.host === "" || isOwnName(exchange)) return;
  throw new ProxyError(
    "forbidden",
    `Cannot use the key of ${host}: its entry sends the caller's Host, which is no name of this proxy. ` +
      "Name it in HOSTS, or use another Host",
    { names: ["HOSTS"] },
  );
}
