/**
 * Connection options for a target, pinned to its checked addresses.
 * @module
 */

import { isIP, type LookupFunction } from "node:net";
import type { Route } from "../../core/address/route.ts";
import type { Outgoing } from "../../core/runtime.ts";

/** Options for a connection to a target. */
export interface ConnectionOptions {
  host: string;
  port: number;
  /** Connections with the same key are interchangeable. */
  pool: string;
  addresses: readonly string[] | undefined;
  /** How to reach the target; `undefined` for a direct connection. */
  route: Route | undefined;
  /** Host and port of the target, for messages. */
  target: string;
  servername?: string;
  lookup?: LookupFunction;
  /** True for a connection that only inspects the certificate: it neither resumes a TLS session nor saves one. */
  isLook?: boolean;
}

/** Cached options by origin. Requests share the origin objects, and almost always their addresses too. */
const connections = new WeakMap<URL, ConnectionOptions>();

/**
 * The options for a connection to an origin, at its checked addresses only. Without checked addresses the name
 * is resolved.
 */
export function connectionOptions(
  { origin, addresses, route }: Pick<Outgoing, "origin" | "addresses" | "route">,
): ConnectionOptions {
  const known = connections.get(origin);
  if (known && known.addresses === addresses && known.route === route) return known;
  const pool = `${origin.origin} ${addresses?.join() ?? ""}${route ? ` ${numberOf(route)}` : ""}`;
  const host = origin.hostname.replace(/^\[(.*)\]$/, "$1");
  const options = {
    host,
    port: Number(origin.port) || (origin.protocol === "https:" ? 443 : 80),
    pool,
    addresses,
    route,
    target: origin.host,
    // SNI names have no trailing dot (RFC 6066 §3).
    ...(!isIP(host) && { servername: host.replace(/\.$/, "") }),
    ...(addresses && { lookup: lookupAmong(addresses) }),
  };
  connections.set(origin, options);
  return options;
}

const numbers = new WeakMap<Route, number>();
let routes = 0;

/** Numbers each route, so that the key of its connections is distinct but reveals nothing about the route. */
export function numberOf(route: Route): number {
  const number = numbers.get(route) ?? ++routes;
  numbers.set(route, number);
  return number;
}

/** Answers each DNS look-up of a connection with the checked addresses, so the name is never resolved twice. */
function lookupAmong(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    const [first] = found;
    if (!first) return callback(Object.assign(new Error("no address"), { code: "ENOTFOUND" }), "", 4);
    if (options.all) callback(null, found);
    else callback(null, first.address, first.family);
  };
}
