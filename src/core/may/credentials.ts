/**
 * Credentials that a browser sends on its own to the proxy's origin go only to the host that asked for them.
 *
 * A cookie notes the host that asks, with a mark that only this proxy can make. It also notes credentials that a host
 * accepted: from then on no other host gets them. Whose cookies go out is decided here, too.
 * @module
 * @see RFC 9110 §11.6, RFC 7617 §2.2 (a browser may send Basic unasked)
 */

import { type Address, isByHost } from "../address/address.ts";
import { isOriginOf, readLabel } from "../address/authority.ts";
import type { Exchange, Target } from "../exchange/exchange.ts";
import type { CookieRights, Passage } from "../exchange/findings.ts";
import { ownerOf } from "../http/cookie-jar.ts";
import { ownCookie, readCookie } from "../http/cookies.ts";
import { ProxyError } from "../http/error.ts";
import type { FieldWriter } from "../http/fields.ts";
import { isTopNavigation } from "../http/headers.ts";
import { isBase } from "../who/host-selectors.ts";

const COOKIE = "proxy_auth";
/** Schemes whose credentials browsers keep and send by themselves. */
const SCHEME = /^(basic|digest|negotiate|ntlm)\b/i;
const CHALLENGE = /(?:^|,)[ \t]*(?:basic|digest|negotiate|ntlm)(?:[ \t]|,|$)/i;
/** Maximum number of noted hosts and credentials; the newest come first. */
const MAX_ENTRIES = 8;
/** Separates the mark of a host from the mark of the credentials that it accepted. */
const TAKEN = "~";

/**
 * True if a browser may have sent these credentials by itself. On a label they belong to the label's own origin only.
 */
function isUnasked({ caller, carried, asker, incoming }: Exchange, target: Target): boolean {
  if (target.selector === "arg" || asker === "console") return false;
  // Without Fetch Metadata only WebSocket handshakes identify a browser, and their host was never noted.
  if (!incoming.headers.has("sec-fetch-site")) return false;
  // A trusted page of another origin sends its credentials itself.
  if (asker === "granted" && caller.isForeign && incoming.headers.has("origin")) return false;
  const { label } = carried;
  return !(label && "origin" in label && label.origin.origin === target.origin.origin);
}

/** True for credentials of a scheme that browsers keep and send by themselves. */
export function isKept(authorization: string | null): boolean {
  return SCHEME.test(authorization ?? "");
}

/**
 * Judges the credentials of a request, or the login of its connection, which a browser also keeps using by itself.
 * `undefined` if the request has none that a browser sends by itself.
 */
export function judgeCredentials(
  exchange: Exchange,
  target: Target,
  cookies: CookieRights,
): Promise<Passage> | undefined {
  const { headers, bonds } = exchange.incoming;
  const authorization = headers.get("authorization");
  const scheme = SCHEME.exec(authorization ?? "")?.[1]?.toLowerCase();
  const mayGoOn = authorization === null && bonds !== undefined &&
    headers.get("cookie")?.includes(COOKIE) === true;
  if ((scheme === undefined && !mayGoOn) || !isUnasked(exchange, target)) return undefined;
  return judge(exchange, target, cookies, scheme === "basic" ? authorization! : undefined);
}

/** True for a page's request that may not use a login of its connection. */
export function isStray(exchange: Exchange, target: Target, passage: Passage | undefined): boolean {
  const { caller, asker } = exchange;
  // The page describes everything that is sent.
  if (target.selector === "arg") return asker !== "console" && (caller.isBrowser || caller.hasOrigin);
  return passage?.isOpen !== true && isUnasked(exchange, target);
}

async function judge(
  { incoming, key }: Exchange,
  target: Target,
  cookies: CookieRights,
  basic: string | undefined,
): Promise<Passage> {
  const entries = readEntries(incoming.headers.get("cookie"));
  const host = await key.mark("challenge", target.origin.origin);
  const credentials = basic && await key.mark("credentials", basic);
  const takers = entries.filter((entry) => credentials && entry.endsWith(TAKEN + credentials));
  const hasAsked = takers.length > 0
    ? takers.includes(`${host}${TAKEN}${credentials}`)
    : entries.some((entry) => entry === host || entry.startsWith(host + TAKEN));
  const isAllowed = isByHost(target.selector) ? cookies.host !== undefined : cookies.sendsCookies;
  return { isOpen: isAllowed && hasAsked && !cookies.isCrossing, host, credentials };
}

/** True for a challenge that must be dropped: the browser would ask for a password that could go to any host. */
export function isStrayChallenge(value: string, exchange: Exchange, target: Target): boolean {
  if (!exchange.caller.isBrowser || exchange.asker === "console") return false;
  return !isByHost(target.selector) && CHALLENGE.test(value);
}

/** Notes in the response which host asked for credentials or accepted them. */
export async function noteCredentials(
  response: { readonly status: number; readonly headers: FieldWriter },
  exchange: Exchange,
  target: Target,
  passage: Passage | undefined,
): Promise<void> {
  const { incoming, caller, config, key } = exchange;
  const entry = response.status === 401
    ? await key.mark("challenge", target.origin.origin)
    : passage?.isOpen && passage.credentials && `${passage.host}${TAKEN}${passage.credentials}`;
  const entries = readEntries(incoming.headers.get("cookie"));
  if (!entry || entries[0] === entry) return;
  const value = [entry, ...entries.filter((other) => other !== entry)].slice(0, MAX_ENTRIES).join(".");
  response.headers.append("set-cookie", ownCookie(`${COOKIE}=${value}`, config.mountPath, caller.isSecure));
}

/** True if the response has something to note. */
export function hasNews(
  response: { readonly status: number; readonly headers: FieldWriter },
  exchange: Exchange,
  target: Target,
  passage: Passage | undefined,
): boolean {
  const { caller, carried } = exchange;
  if (!caller.isBrowser || carried.label !== undefined) return false;
  if (!isByHost(target.selector)) return false;
  if (response.status !== 401) return passage?.isOpen === true && passage.credentials !== undefined;
  return CHALLENGE.test(response.headers.get("www-authenticate") ?? "");
}

function readEntries(cookie: string | null): string[] {
  const [value = ""] = readCookie(cookie, COOKIE);
  return value.split(".").filter((entry) => /^[\w-]{22}(?:~[\w-]{22})?$/.test(entry)).slice(0, MAX_ENTRIES);
}

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
