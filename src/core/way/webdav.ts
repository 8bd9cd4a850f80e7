/**
 * Maps the WebDAV fields with absolute addresses from the proxy's origin to the target's.
 * @module
 * @see RFC 4918 §10.3 (Destination), §10.4 (If)
 */

import { isOriginOf } from "../address/authority.ts";
import type { Exchange, Target } from "../exchange/exchange.ts";
import { hearsCaller } from "../exchange/hooks.ts";
import { pathOnTarget, stripMount } from "../address/reserved-paths.ts";

/**
 * Maps `Destination`: a whole address, or a path. Other origins and the proxy's own paths stay unchanged. For a target
 * that hears the caller's host (rule 19.1), only its place on the proxy is taken out.
 */
export function mapDestination(
  address: string,
  exchange: Pick<Exchange, "caller" | "config" | "parts">,
  target: Target,
): string {
  const { caller, config } = exchange;
  const isHeard = hearsCaller(exchange, target.origin);
  if (isHeard && target.place === undefined) return address;
  const [, origin = "", rest = ""] = /^(https?:\/\/[^/?#]*)?(.*)/is.exec(address) ?? [];
  const isOwn = origin ? isOriginOf(caller.host, origin.toLowerCase()) : rest.startsWith("/");
  // `url` names a single resource.
  if (!isOwn || target.selector === "url") return address;
  const path = stripMount(rest || "/", config.mountPath);
  const inside = path === undefined ? undefined : pathOnTarget(path, target.place);
  if (inside === undefined) return address;
  return (origin && (isHeard ? origin : target.origin.origin)) + target.basePath + inside;
}

/** Maps the resources in `If`. State tokens in the same brackets are no addresses of the proxy, so they stay. */
export function mapIf(
  value: string,
  exchange: Pick<Exchange, "caller" | "config" | "parts">,
  target: Target,
): string {
  return value.replace(
    /<([^<>]*)>/g,
    (_, address: string) => `<${mapDestination(address, exchange, target)}>`,
  );
}
