/**
 * Checks that the proxy itself set the cookie `proxy_host`: a page can evict cookies from its browser, and set its own
 * instead.
 *
 * That matters only if pages of public hosts were served here and the cookie names a private host. Only then a seal is
 * required, so that users keep their host after a restart of the proxy.
 * @module
 */

import { decodePercent } from "../http/text.ts";
import { readCookie } from "../http/cookies.ts";
import type { Exchange, Target } from "../exchange/exchange.ts";
import { isTyped } from "../http/headers.ts";
import { isConfigured, isPrivateHost } from "./private-targets.ts";
import { isBase } from "../who/host-selectors.ts";

const COOKIE = "proxy_seal";

/** The seal for a host cookie, as `name=value`. `undefined` for callers that need none. */
export async function sealHost(
  { incoming: { headers }, key }: Exchange,
  host: string,
): Promise<string | undefined> {
  if (!headers.has("sec-fetch-mode")) return undefined;
  return `${COOKIE}=${host && await key.mark("host", host)}`;
}

/** True for a public host at the plain origin: from now on, pages may have set the cookies. */
export function bringsStrangers({ caller, config }: Exchange, { selector, origin }: Target): boolean {
  if (selector !== "cookie" || !caller.isBrowser) return false;
  return !isPrivateHost(config, origin) && !isConfigured(config, origin);
}

/** True if a seal is required: a page sends the request, not the user. */
export function needsSeal({ asker, carried, incoming: { headers } }: Exchange): boolean {
  if (asker !== "page" || carried.label !== undefined || !isBase(carried.cookie)) return false;
  return headers.has("sec-fetch-mode") && !isTyped(headers);
}

/** True if the seal matches the host. */
export async function isSealed({ incoming: { headers }, key }: Exchange): Promise<boolean> {
  const cookie = headers.get("cookie");
  const [host = ""] = readCookie(cookie, "proxy_host");
  const [seal] = readCookie(cookie, COOKIE);
  return seal !== undefined && seal === await key.mark("host", decodePercent(host) ?? host);
}
