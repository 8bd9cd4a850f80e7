/**
 * Maps the fields of a response that set cookies or contain addresses.
 * @module
 */

import { readAuthority } from "../address/authority.ts";
import { isLoopbackHost } from "../address/ip.ts";
import { isByHost } from "../address/address.ts";
import { mapLinks } from "../address/link-field.ts";
import { type AddressMapping, mapLocation, mapRefresh } from "../address/location.ts";
import { isNote, MAX_NOTES, readNotes } from "../http/cookie-jar.ts";
import { readCookie } from "../http/cookies.ts";
import type { Fields } from "../http/fields.ts";
import { isTopNavigation, isUpgrade } from "../http/headers.ts";
import type { CookieOrigin } from "../http/refused-cookie.ts";
import { type CookieMapping, rewriteSetCookie } from "../http/set-cookie.ts";
import type { Exchange, Prepared, Target, TargetResponse } from "../exchange/exchange.ts";
import { hearsCaller } from "../exchange/hooks.ts";
import { isTold } from "../may/private-targets.ts";
import { toHttp } from "./handshake.ts";

/** The context for building the response. */
export interface Building {
  request: Prepared;
  exchange: Exchange;
  target: Target;
}

/** Maps a field with addresses. To that of a source map, as to `content-location`, nobody is led. */
export function mapAddresses(
  name: string,
  value: string,
  response: TargetResponse,
  building: Building,
): string {
  const mapping = addressMapping(response, building);
  if (name === "location") return mapTarget(value, mapping);
  if (name === "refresh") return mapRefresh(value, mapping);
  return name === "link" ? mapLinks(value, mapping) : mapLocation(value, { ...mapping, isFollowed: false });
}

/** Maps a redirect. That of a WebSocket handshake may be to `ws` or `wss`; a relative address has the caller's scheme. */
function mapTarget(value: string, mapping: AddressMapping): string {
  const address = toHttp(value);
  const mapped = mapLocation(address, mapping);
  return address === value ? mapped : mapped.replace(/^http/, "ws");
}

/** How the target's cookies are stored. `undefined` where a browser must not store them: they would go to another host. */
export function cookieMapping(response: TargetResponse, building: Building): CookieMapping | undefined {
  const { finalAddress } = response;
  const { target, exchange, request } = building;
  const { caller, config, asker, path: arrived, incoming } = exchange;
  const isHostSelector = isByHost(target.selector);
  const base = {
    origin: cookieOrigin(finalAddress ?? target, exchange),
    secure: caller.isSecure,
    basePath: target.basePath,
    mountPath: config.mountPath,
  };
  if (!caller.isBrowser) return { ...base, ...mapForProgram(target, config.mountPath) };
  const hasMoved = finalAddress !== undefined && finalAddress.origin.origin !== target.origin.origin;
  const { host, owner } = request.cookies;
  // The console only displays cookies, in a sealed response.
  if (asker === "console") return { ...base, path: "widen" };
  if (!host || hasMoved) return undefined;
  const basePath = isHostSelector ? target.basePath : host.path;
  const shown = incoming.headers.get("cookie");
  const jar = owner === undefined ? undefined : {
    owner,
    defaultPath: config.mountPath +
      directoryOf(isHostSelector ? arrived : target.path.slice(basePath.length)),
    room: MAX_NOTES - readNotes(shown).length,
    isShown: (name: string) => readCookie(shown, name).length > 0,
  };
  return { ...base, basePath, path: "map", jar, isDirect: !isHostSelector };
}

/** A program has a jar of its own. By `at` a cookie comes back to its own target alone. */
function mapForProgram(
  { selector, place }: Target,
  mountPath: string,
): Pick<CookieMapping, "path" | "mountPath"> {
  if (place !== undefined) return { path: "map", mountPath: mountPath + place };
  return { path: isByHost(selector) ? "map" : "widen", mountPath };
}

/** Where the target's cookies come from. If the target is told the caller's host, cookies for that host are its own too. */
function cookieOrigin({ origin }: Pick<Target, "origin">, exchange: Exchange): CookieOrigin {
  const { caller } = exchange;
  const isHeard = hearsCaller(exchange, origin);
  const isLoopback = isLoopbackHost(origin.hostname);
  const isTrusted = origin.protocol === "https:" || isLoopback;
  return {
    hosts: isLoopback ? [] : [origin.hostname, ...(isHeard ? [readAuthority(caller.host).name] : [])],
    isTrusted: isTrusted || (isHeard && isTold(exchange)),
  };
}

/** @see RFC 6265bis §5.1.4 */
function directoryOf(path: string): string {
  const [pathname = ""] = path.split("?", 1);
  return pathname.slice(0, Math.max(1, pathname.lastIndexOf("/"))) || "/";
}

/** Adds a `Set-Cookie` line as the caller's browser may store it. */
export function appendCookie(
  headers: Fields,
  line: string,
  mapping: CookieMapping | undefined,
  written?: unknown,
): void {
  if (!mapping) return;
  const lines = rewriteSetCookie(line, mapping);
  for (const kept of lines) headers.append("set-cookie", kept, written);
  if (mapping.jar && lines.some(isNote)) mapping.jar.room -= 1;
}

function addressMapping({ finalAddress }: TargetResponse, { target, exchange }: Building): AddressMapping {
  const { caller, config, incoming: { headers } } = exchange;
  const { selector, basePath, place } = target;
  const { origin, path } = finalAddress ?? target;
  return {
    selector,
    origin,
    basePath,
    place,
    requestUrl: origin.origin + path,
    proxyOrigin: caller.origin,
    isHeard: hearsCaller(exchange, origin),
    mountPath: config.mountPath,
    proxyDomain: config.proxyDomain,
    labels: config.proxyLabels,
    // A handshake can't set the host.
    isFollowed: !isUpgrade(headers) && (!headers.has("sec-fetch-mode") || isTopNavigation(headers)),
  };
}
