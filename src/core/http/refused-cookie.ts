/**
 * What browsers refuse in a `Set-Cookie` line, depending on the origin that sent it. Carrying changes a cookie, so it must
 * not make a cookie acceptable that its own origin could not have stored.
 * @module
 * @see RFC 6265bis §5.6, §5.7; rule 19.3
 */

import { trimBlanks } from "./cookies.ts";

/** Where a cookie comes from. */
export interface CookieOrigin {
  /**
   * Names or addresses that the target knows itself by, lower-case; the caller's Host too if the target is told it. None for
   * a target on this machine: its `Domain` is for the place where it will run later, and carrying drops it.
   */
  hosts: readonly string[];
  /** True for https and for loopback, which browsers trust. */
  isTrusted: boolean;
}

/** Bytes of a name and its value. */
const MAX_PAIR = 4_096;
/** Browsers ignore an attribute with a longer value. */
const MAX_VALUE = 1_024;
/** All control characters except the tab. */
const CONTROLS = /[^\t -~\u0080-\uffff]/;
/** Prefixes in any case, also at the start of a value without a name, which is sent back as a name. */
const PREFIX = /^__(?:(host-(?:http-)?)|secure-|http-)/i;
const ADDRESS = /^(?:[\d.]+|\[.*)$/;

/** Why browsers refuse the cookie of a line, such as `its Domain is another host`; `undefined` if they take it. */
export function findCookieFault(line: string, { hosts, isTrusted }: CookieOrigin): string | undefined {
  if (CONTROLS.test(line)) return "it has a control character";
  const [pair = "", ...attributes] = line.split(";");
  const { name, value } = readPair(pair);
  if (name + value === "") return "it has neither a name nor a value";
  if (!fitsPair(pair)) return "its name and value are longer than 4,096 bytes";
  const read = new Map(attributes.map((attribute) => {
    const { name, value } = readAttribute(attribute);
    return [name, value];
  }));
  const domain = read.get("domain") ?? "";
  if (hosts.length > 0 && !hosts.some((host) => isDomainOf(domain, host))) {
    return "its Domain is another host";
  }
  if (read.has("secure")) {
    if (!isTrusted) return "it is Secure, but its target is reached over plain http";
  } else if (read.get("samesite")?.toLowerCase() === "none") return "it is SameSite=None without Secure";
  else if (read.has("partitioned")) return "it is Partitioned without Secure";
  const isBound = read.get("path") === "/" && (domain === "" || hosts.some((host) => ADDRESS.test(host)));
  return findPrefixFault(name, value, read, isBound);
}

function findPrefixFault(
  name: string,
  value: string,
  attributes: ReadonlyMap<string, string>,
  isBound: boolean,
): string | undefined {
  const [prefix, host] = PREFIX.exec(name || value) ?? [];
  if (prefix === undefined) return undefined;
  if (name === "") return "its name is empty, and its value starts like a name with a prefix";
  if (!attributes.has("secure")) return `it is ${prefix} without Secure`;
  if (/http-$/i.test(prefix) && !attributes.has("httponly")) return `it is ${prefix} without HttpOnly`;
  return host !== undefined && !isBound ? `it is ${prefix} with a Domain, or without Path=/` : undefined;
}

/** A name without a dot would stand for all hosts below it. */
function isDomainOf(written: string, host: string): boolean {
  const domain = written.replace(/^\./, "").toLowerCase();
  if (written === "" || domain === host) return true;
  return domain.includes(".") && !ADDRESS.test(host) && host.endsWith(`.${domain}`);
}

/** True for a pair that browsers store: its name and value have 4,096 bytes at most. */
export function fitsPair(pair: string): boolean {
  const { name, value } = readPair(pair);
  return name.length + value.length <= MAX_PAIR;
}

/** A pair without `=` is a value. */
function readPair(pair: string): { name: string; value: string } {
  const cut = pair.indexOf("=");
  return { name: trimBlanks(pair.slice(0, Math.max(0, cut))), value: trimBlanks(pair.slice(cut + 1)) };
}

/** Reads an attribute. One that is too long has no name, because browsers ignore it. */
export function readAttribute(attribute: string): { name: string; value: string; spelling: string } {
  const cut = attribute.indexOf("=");
  const spelling = cut < 0 ? attribute : attribute.slice(0, cut);
  const value = cut < 0 ? "" : trimBlanks(attribute.slice(cut + 1));
  const name = value.length > MAX_VALUE ? "" : trimBlanks(spelling).toLowerCase();
  return { name, value, spelling };
}
