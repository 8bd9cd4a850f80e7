/**
 * Vite's Host check, for requests that Vite itself does not check: the proxy's, which run before that check, and upgrades.
 * @module
 */

import { isIP } from "node:net";
import { readAuthority } from "../../core/address/authority.ts";
import { parseUrl } from "../../core/address/url.ts";

/** The options of Vite's `server` or `preview` that name hosts. */
export interface HostOptions {
  /** Additional names, or `true` for all. */
  readonly allowedHosts?: true | readonly string[] | undefined;
  /** The name or address that the server listens on; `true` for all addresses. */
  readonly host?: string | boolean | undefined;
  /** The origin of the addresses that Vite writes. */
  readonly origin?: string | undefined;
  /** Set for a server with a certificate. */
  readonly https?: unknown;
  /** Options of Vite's own WebSocket, which may name another host (Vite 6 and 7). */
  readonly hmr?: unknown;
  /** The same options in Vite 8. */
  readonly ws?: unknown;
}

/**
 * True for a Host that Vite allows: loopback names and IP addresses, the names in `allowedHosts` (`.example.com` stands
 * for the domain and all below it), and the names that other options give. With https Vite allows every Host, because a
 * foreign name has no certificate.
 *
 * @see https://vite.dev/config/server-options#server-allowedhosts
 */
export function isAllowedHost(host: string | undefined, options: HostOptions): boolean {
  const { allowedHosts = [], https } = options;
  if (allowedHosts === true || https) return true;
  if (host === undefined) return false;
  const { name, isLoopback } = readAuthority(host);
  const isLocal = isLoopback || isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;
  return isLocal || [...allowedHosts, ...namesOf(options)].some((allowed) => matches(name, allowed));
}

function matches(name: string, allowed: string): boolean {
  return allowed.startsWith(".") ? name === allowed.slice(1) || name.endsWith(allowed) : name === allowed;
}

/** The names in other options, which Vite 6 does not add to `allowedHosts`. */
function namesOf({ host, origin = "", hmr, ws }: HostOptions): string[] {
  const sockets = [hmr, ws].map((options) => (options as { host?: unknown } | undefined)?.host);
  const named = parseUrl(origin)?.hostname;
  return [host, named, ...sockets].filter((name): name is string => typeof name === "string" && name !== "");
}
