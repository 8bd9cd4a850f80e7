/**
 * Which web origins may read the proxy's responses, and how origins are compared.
 * @module
 */

import { readLabel } from "./authority.ts";
import { isLoopbackHost } from "./ip.ts";
import { parseUrl } from "./url.ts";

/**
 * The origins of `CORS_ORIGINS`.
 *
 * @internal
 */
export interface CorsOrigins {
  /** True for `*`: every origin, without credentials. */
  any: boolean;
  /** Origins as browsers write them (RFC 6454 §6.1). */
  listed: ReadonlySet<string>;
}

/** What an origin is granted: `listed` reads with credentials, `any` without, `none` nothing. */
export type Grant = "listed" | "any" | "none";

/** Reads origins and `*`; `undefined` for anything else. An empty list grants nothing. */
export function decodeCorsOrigins(entries: readonly string[]): CorsOrigins | undefined {
  const listed = entries.filter((entry) => entry !== "*").map(decodeOrigin);
  if (!listed.every((origin) => origin !== undefined)) return undefined;
  return { any: entries.includes("*"), listed: new Set(listed) };
}

/** True for an origin on a loopback name or address, except that of a host label, which serves a target's pages. */
export function isLoopbackOrigin(origin: string, proxyDomain: string): boolean {
  if (decodeOrigin(origin) !== origin) return false;
  const { hostname } = new URL(origin);
  return isLoopbackHost(hostname) && readLabel(hostname, proxyDomain) === undefined;
}

function decodeOrigin(text: string): string | undefined {
  return /^https?:\/\/[^/?#@*\s\\]+\/?$/i.test(text) ? parseUrl(text)?.origin : undefined;
}
