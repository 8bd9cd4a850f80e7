/**
 * Names what is wrong with an address, for the message that refuses it. Only refused addresses come here.
 * @module
 */

import { CONTROLS } from "./address.ts";
import { parseUrl } from "./url.ts";

/** Scheme, `//` and authority of an address, and what follows. */
const PARTS = /^([a-z][a-z\d+.-]*):\/\/([^/?#\\]*)(.*)$/is;
/** A scheme without `//`: neither a host and its port, nor a user and a password. */
const SCHEME_ONLY = /^([a-z][a-z\d+-]*):(?!\d+(?:[/?#]|$))(?!.*@)/i;
const IPV6 = /^\[[\da-f:.]+\]/i;
const ZONE = /^\[[\da-f:.]+%/i;
const EMPTY_PART = /^\.|\.\./;
const MAX_PORT = 65_535;
const MAX_SCHEME_LENGTH = 20;

/**
 * What is wrong with a base address that `decodeBase` refused, or may be refused for.
 *
 * @returns a predicate such as `has no scheme`; it shows nothing of the address but its scheme
 */
export function findBaseFault(text: string): string {
  return findStartFault(text) ?? findAuthorityFault(text, false) ?? findPathFault(text) ?? "is malformed";
}

/**
 * What is wrong with a whole address that `decodeAddress` refused.
 *
 * @returns a predicate such as `has no host`; it shows nothing of the address but its scheme
 */
export function findAddressFault(text: string): string {
  return findStartFault(text) ?? findAuthorityFault(text, true) ?? "is malformed";
}

function findStartFault(text: string): string | undefined {
  if (text === "") return "is empty";
  if (/^\s|\s$/.test(text)) return "has a space at its start or end";
  if (CONTROLS.test(text)) return "has a control character";
  const [, scheme] = PARTS.exec(text) ?? SCHEME_ONLY.exec(text) ?? [];
  if (scheme === undefined) return "has no scheme";
  if (!/^https?$/i.test(scheme)) return `has ${nameScheme(scheme)}`;
  return PARTS.test(text) ? undefined : "has no // after its scheme";
}

/** Names a scheme, unless it is long: then it is hardly a scheme, but may be a secret. */
function nameScheme(scheme: string): string {
  return scheme.length > MAX_SCHEME_LENGTH ? "another scheme" : `the scheme ${scheme.toLowerCase()}`;
}

function findAuthorityFault(text: string, takesCredentials: boolean): string | undefined {
  const [, , authority = ""] = PARTS.exec(text) ?? [];
  const cut = authority.lastIndexOf("@") + 1;
  if (cut > 0 && !takesCredentials) return "has credentials";
  const place = authority.slice(cut);
  if (ZONE.test(place)) return "has a zone in its IPv6 address";
  const isLiteral = IPV6.test(place);
  if (!isLiteral && place.split(":").length > 2) return "has an IPv6 address without brackets";
  const end = place.indexOf(":", isLiteral ? place.indexOf("]") : 0);
  return findHostFault(end < 0 ? place : place.slice(0, end)) ??
    (end < 0 ? undefined : findPortFault(place.slice(end + 1)));
}

function findHostFault(host: string): string | undefined {
  if (host === "") return "has no host";
  if (/\s/.test(host)) return "has a space in its host";
  if (host.includes(",")) return "has a comma in its host";
  const url = parseUrl(`http://${host}`);
  if (EMPTY_PART.test(url?.hostname ?? host)) return "has an empty part in its host";
  return url ? undefined : "has a malformed host";
}

function findPortFault(port: string): string | undefined {
  if (!/^\d*$/.test(port)) return "has a port that is not a number";
  if (Number(port) > MAX_PORT) return `has a port above ${MAX_PORT}`;
  return /^0+$/.test(port) ? "has port 0" : undefined;
}

function findPathFault(text: string): string | undefined {
  const [, , , rest = ""] = PARTS.exec(text) ?? [];
  const [path = "", mark] = rest.split(/([?#])/, 2);
  if (path.includes("\\")) return "has a backslash";
  if (/\s/.test(path)) return "has a space in its path";
  if (mark === undefined) return undefined;
  return mark === "?" ? "has a query" : "has a fragment";
}
