/**
 * Connection options for a target, pinned to its checked addresses.
 * @module
 */

import { isIP, type LookupFunction } from "node:net";

/** Options for a connection to a target. */
export interface ConnectionOptions {
  host: string;
  port: number;
  /** Key of interchangeable connections. */
  pool: string;
  addresses: readonly string[] | undefined;
  servername?: string;
  lookup?: LookupFunction;
}

/** A cache. Requests share the origin objects, and almost always their addresses too. */
const connections = new WeakMap<URL, ConnectionOptions>();

/**
 * The options for a connection to an origin, at its checked addresses only.
 *
 * @param addresses absent if none were checked: then the name is resolved
 */
export function connectionOptions(origin: URL, addresses: readonly string[] | undefined): ConnectionOptions {
  const known = connections.get(origin);
  if (known && known.addresses === addresses) return known;
  const pool = `${origin.origin} ${addresses?.join() ?? ""}`;
  const host = origin.hostname.replace(/^\[(.*)\]$/, "$1");
  const options = {
    host,
    port: Number(origin.port) || (origin.protocol === "https:" ? 443 : 80),
    pool,
    addresses,
    ...(!isIP(host) && { servername: host }),
    ...(addresses && { lookup: lookupAmong(addresses) }),
  };
  connections.set(origin, options);
  return options;
}

/** Answers every look-up of the connection with the checked addresses, so the name is never resolved twice. */
function lookupAmong(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    const [first] = found;
    if (!first) return callback(Object.assign(new Error("no address"), { code: "ENOTFOUND" }), "", 4);
    if (options.all) callback(null, found);
    else callback(null, first.address, first.family);
  };
}
