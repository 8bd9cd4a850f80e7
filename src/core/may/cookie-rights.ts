/**
 * Decides whether a browser's cookies may go to a target, and under which host they are stored.
 * @module
 * @see rule 4.13; docs/SECURITY.md
 */

import type { Address } from "../address/address.ts";
import { isOriginOf, readLabel } from "../address/authority.ts";
import { ProxyError } from "../http/error.ts";
import type { Exchange, Target } from "../exchange/exchange.ts";
import type { CookieRights } from "../exchange/findings.ts";
import { isTopNavigation } from "../http/headers.ts";
import { ownerOf } from "../http/cookie-jar.ts";
import { isByHost } from "../address/selector.ts";
import { isBase } from "../who/host-selectors.ts";

/** The rights of a caller without cookies. */
const NOTHING: CookieRights = { host: undefined, sendsCookies: false, owner: undefined, isCrossing: false };

/** Decides the cookie rights of a request to a target. */
export function judgeCookies(exchange: Exchange, target: Target): CookieRights {
  const { caller, carried, asker, incoming: { headers, method } } = exchange;
  if (!caller.isBrowser && !caller.hasOrigin && !headers.has("cookie")) return NOTHING;
  const isFree = !isByHost(target.selector) && !caller.isBrowser && carried.cookie === undefined;
  const configured = findHost(exchange);
  const host = configured?.origin.origin === target.origin.origin ? configured : undefined;
  const isShared = caller.isBrowser && carried.label === undefined && asker !== "console";
  const isCrossing = asker !== "granted" && comesAcross(exchange);
  const isLink = method === "GET" && isTopNavigation(headers);
  return {
    host,
    sendsCookies: (isFree || host !== undefined) && (!isCrossing || isLink),
    owner: isShared && host ? ownerOf(host.origin) : undefined,
    isCrossing,
  };
}

/**
 * Finds the configured host: the one in the cookie, of the host label, in the header, or the preset one, in this order.
 * In a browser the label comes first, because a page of another label may have set the cookie.
 */
function findHost({ caller, carried, config }: Exchange): Address | undefined {
  const { header, cookie, label } = carried;
  if (cookie instanceof ProxyError || label instanceof ProxyError) return undefined;
  const first = (caller.isBrowser ? label ?? cookie : cookie ?? label) ?? header ?? config.target;
  return isBase(first) ? first : undefined;
}

/**
 * True for a request from another label. To a browser all labels are one site, so `SameSite` does not separate them
 * (RFC 6265bis §5.2).
 */
function comesAcross({ incoming: { headers }, caller, config }: Exchange): boolean {
  const site = headers.get("sec-fetch-site");
  if (site === "same-site") return true;
  if (site === "same-origin" || site === "none") return false;
  return [headers.get("origin"), headers.get("referer")].some((address) => {
    const [origin = "", host = ""] = /^https?:\/\/([^/?#]*)/.exec(address ?? "") ?? [];
    return readLabel(host, config.proxyDomain) !== undefined && !isOriginOf(caller.host, origin);
  });
}
