/**
 * Parses the Host of a request, and finds the host label in it.
 * @module
 */

import { isLoopbackHost } from "./ip.ts";
import { MANY, memoize } from "../http/memo.ts";

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
