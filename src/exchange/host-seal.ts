/**
 * Whether the cookie `proxy_host` is the one that the proxy set: a page can crowd cookies out of its browser, and put one of
 * its own in the place.
 *
 * That matters where pages of strangers have been here and the cookie leads into your network. Only there a seal is asked
 * for, so that a proxy that was started anew does not forget the hosts of its users.
 * @module
 */

import { readCookie } from "../http/cookies.ts";
import type { Exchange, Target } from "./exchange.ts";
import { isTopNavigation } from "../http/headers.ts";
import { isConfigured, isPrivateHost } from "./rights.ts";
import { isBase } from "./selectors.ts";

const COOKIE = "proxy_seal";

/** The cookie beside that of a host, as `name=value`; `undefined` where no browser asks that would need one. */
export async function sealHost(
  { incoming: { headers }, key }: Exchange,
  host: string,
): Promise<string | undefined> {
  if (!headers.has("sec-fetch-mode")) return undefined;
  return `${COOKIE}=${host && await key.mark("host", host)}`;
}

/** True for a page of a public host that stands at the plain origin: from now on cookies may be a page's. */
export function bringsStrangers({ caller, config }: Exchange, { selector, origin }: Target): boolean {
  if (selector !== "cookie" || !caller.isBrowser) return false;
  return !isPrivateHost(config, origin) && !isConfigured({ config }, { origin });
}

/** True where a seal is asked for: a page asks, and not its user. */
export function needsSeal({ asker, carried, incoming: { headers } }: Exchange): boolean {
  if (asker !== "page" || carried.label !== undefined || !isBase(carried.cookie)) return false;
  const isTyped = headers.get("sec-fetch-site") === "none" && isTopNavigation(headers);
  return headers.has("sec-fetch-mode") && !isTyped;
}

/** True where the seal fits the host. */
export async function isSealed({ incoming: { headers }, key }: Exchange): Promise<boolean> {
  const cookie = headers.get("cookie");
  const [host = ""] = readCookie(cookie, "proxy_host");
  const [seal] = readCookie(cookie, COOKIE);
  return seal !== undefined && seal === await key.mark("host", decode(host));
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
