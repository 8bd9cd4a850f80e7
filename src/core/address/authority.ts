/**
 * Parses the Host of a request, finds the host label in it, and compares origins: which of them may read the proxy's responses.
 * @module
 */

import { isLoopbackHost } from "./ip.ts";
import { MANY, memoize } from "../http/memo.ts";
import { parseUrl } from "./url.ts";

/** Name and port of a Host. */
export interface Authority {
  /** Lower case, without one trailing dot. */
  name: string;
  port: number | undefined;
  /** True if every browser resolves it to this machine. */
  isLoopback: boolean;
}

/** Parses a Host. */
export const readAuthority: (host: string) => Authority = memoize((host) => {
  const [, name = "", port] = /^(.*?)(?::(\d*))?$/.exec(host) ?? [];
  return {
    name: name.toLowerCase().replace(/\.$/, ""),
    port: port ? Number(port) : undefined,
    isLoopback: isLoopbackHost(name),
  };
}, MANY);

/** The label of a Host of the form `<label>.w.{proxy_domain}`; `undefined` for every other one. */
export function readLabel(host: string, proxyDomain: string): string | undefined {
  if (!/\.w\./i.test(host)) return undefined;
  const { name } = readAuthority(host);
  const suffix = `.w.${proxyDomain}`;
  return name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined;
}

/** True if an origin has this Host, with either scheme: a front proxy may terminate TLS. */
export function isOriginOf(host: string, origin: string): boolean {
  const own = [`http://${host}`, `https://${host}`].map((one) => dropDefaultPort(one.toLowerCase()));
  return own.includes(dropDefaultPort(origin));
}

/** An origin as browsers write it, without the scheme's default port (RFC 9110 §4.2.3). */
export function dropDefaultPort(origin: string): string {
  const port = origin.startsWith("https:") ? ":443" : ":80";
  if (origin.endsWith(port)) return origin.slice(0, -port.length);
  return origin.endsWith(":") ? origin.slice(0, -1) : origin;
}

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
