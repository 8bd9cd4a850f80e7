/**
 * The Host that a caller asked for, taken apart; and whether it is a host label's.
 * @module
 */

import { isLoopbackHost } from "./ip.ts";
import { memoize } from "../http/memo.ts";

/** Name and port of a Host. */
export interface Authority {
  /** In lower case; one trailing dot does not count. */
  name: string;
  port: number | undefined;
  /** Means this machine to every browser. */
  isLoopback: boolean;
}

/** Takes a Host apart. */
export const readAuthority: (host: string) => Authority = memoize((host) => {
  const [, name = "", port] = /^(.*?)(?::(\d*))?$/.exec(host) ?? [];
  return {
    name: name.toLowerCase().replace(/\.$/, ""),
    port: port ? Number(port) : undefined,
    isLoopback: isLoopbackHost(name),
  };
});

/** The label of a Host of the form `<label>.w.{proxy_domain}`; `undefined` for every other one. */
export function readLabel(host: string, proxyDomain: string): string | undefined {
  if (!/\.w\./i.test(host)) return undefined;
  const { name } = readAuthority(host);
  const suffix = `.w.${proxyDomain}`;
  return name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined;
}

/** True for an origin of a Host, whatever ended TLS in front of it. */
export function isOriginOf(host: string, origin: string): boolean {
  const own = [`http://${host}`, `https://${host}`].map((one) => dropDefaultPort(one.toLowerCase()));
  return own.includes(dropDefaultPort(origin));
}

/** An origin as browsers write it: a port that its scheme has anyway is left out (RFC 9110 §4.2.3). */
export function dropDefaultPort(origin: string): string {
  const port = origin.startsWith("https:") ? ":443" : ":80";
  if (origin.endsWith(port)) return origin.slice(0, -port.length);
  return origin.endsWith(":") ? origin.slice(0, -1) : origin;
}
