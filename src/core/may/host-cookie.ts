/**
 * What keeps pages from choosing the host in the cookie `proxy_host`.
 *
 * A link that sets the host and continues works only if this proxy made it, and only for a caller with the same current
 * host. Otherwise a mailed link could lead a browser to any host. A seal shows that the proxy itself set the cookie: a page
 * can evict cookies from its browser, and set its own instead.
 * @module
 */

import { decodePercent } from "../http/text.ts";
import { prefersHtml } from "../http/accept.ts";
import { decodeBase } from "../address/address.ts";
import { PROOF_PARAMETER } from "../who/asker.ts";
import { ownCookie, readCookie } from "../http/cookies.ts";
import type { Exchange, Target } from "../exchange/exchange.ts";
import type { FieldWriter } from "../http/fields.ts";
import { isTyped } from "../http/headers.ts";
import { readParameter, readQuery } from "../address/query.ts";
import { RESERVED } from "../address/reserved-paths.ts";
import { isConfigured, isPrivateHost } from "./private-targets.ts";
import { isBase } from "../who/host-selectors.ts";

const START = "/__proxy__/?host=";
/** Characters that end an address in `Refresh`. */
const END = /[\s"']/;

/**
 * True if a link may have led a browser here. Over plain http to other hosts than loopback, browsers send no Fetch
 * Metadata, so these two fields decide.
 */
export function mayBeLed({ caller, incoming: { headers } }: Exchange): boolean {
  return caller.isBrowser || headers.has("upgrade-insecure-requests") || prefersHtml(headers.get("accept"));
}

/** True if a response contains a link that sets the host. A target cannot write one, because its links are mapped. */
export function hasHostLink(headers: FieldWriter): boolean {
  return ["location", "refresh"].some((name) => findLink(headers.get(name) ?? "") !== undefined);
}

/** Marks the links of a response. */
export async function markHostLinks(
  headers: FieldWriter,
  exchange: Exchange,
): Promise<void> {
  for (const name of ["location", "refresh"]) {
    const value = headers.get(name);
    const link = findLink(value ?? "");
    if (value === null || link === undefined) continue;
    const mark = await markLink(link, exchange);
    headers.set(name, value.replace(link, () => `${link}&${PROOF_PARAMETER}=${mark}`));
    await noteWay(headers, link, exchange);
  }
}

/** True if this proxy made the opened link. */
export async function isOwnLink(exchange: Exchange): Promise<boolean> {
  const proof = readParameter(readQuery(exchange.path), PROOF_PARAMETER);
  return proof !== undefined && proof === await markLink(exchange.path, exchange);
}

/** The cookie that notes a redirect from a private to a public host, so that the way back is allowed. */
const BACK = "proxy_back";
const BACK_SECONDS = 3_600;

/** Notes that a browser goes from a private host to a public one. */
async function noteWay(
  headers: FieldWriter,
  link: string,
  exchange: Exchange,
): Promise<void> {
  const { carried: { cookie }, caller, config, key } = exchange;
  const next = decodeBase(decodePercent(readParameter(readQuery(link), "host") ?? "") ?? "");
  if (!isBase(cookie) || !next || !isOfOperator(config, cookie.origin)) return;
  const mark = await key.mark("back", next.origin.origin, cookie.origin.origin);
  const path = config.mountPath + RESERVED;
  headers.append("set-cookie", ownCookie(`${BACK}=${mark}`, path, caller.isSecure, BACK_SECONDS));
}

/** True for a host that is private or named in the settings: the operator controls its redirects. */
export function isOfOperator(config: Exchange["config"], origin: URL): boolean {
  return isPrivateHost(config, origin) || isConfigured(config, origin);
}

/** True if the private host led to the public one before. */
export async function isWayBack(exchange: Exchange, from: URL, to: URL): Promise<boolean> {
  const [way] = readCookie(exchange.incoming.headers.get("cookie"), BACK);
  return way !== undefined && way === await exchange.key.mark("back", from.origin, to.origin);
}

/** The `Set-Cookie` line that deletes the note once a private host is reached, because a note allows one way back only. */
export function endWay(
  { incoming: { headers }, caller, config }: Exchange,
  to: URL | undefined,
): string | undefined {
  if (!to || !isOfOperator(config, to) || readCookie(headers.get("cookie"), BACK).length === 0) {
    return undefined;
  }
  return ownCookie(`${BACK}=`, config.mountPath + RESERVED, caller.isSecure, 0);
}

function findLink(value: string): string | undefined {
  const start = value.indexOf(START);
  const [link = ""] = start < 0 ? [] : value.slice(start).split(END, 1);
  return link.includes("&then=") ? link : undefined;
}

function markLink(link: string, { carried: { cookie }, key }: Exchange): Promise<string> {
  const query = readQuery(link);
  const [host = "", then = ""] = ["host", "then"].map((name) => readParameter(query, name));
  return key.mark("then", isBase(cookie) ? cookie.origin.origin : "", host, then);
}

/**
 * The cookie that seals `proxy_host`. It is required only if pages of public hosts were served here and the host is private, so
 * that users keep their host after a restart of the proxy.
 */
const SEAL = "proxy_seal";

/** The seal for a host cookie, as `name=value`. `undefined` for callers that need none. */
export async function sealHost(
  { incoming: { headers }, key }: Exchange,
  host: string,
): Promise<string | undefined> {
  if (!headers.has("sec-fetch-mode")) return undefined;
  return `${SEAL}=${host && await key.mark("host", host)}`;
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
  const [seal] = readCookie(cookie, SEAL);
  return seal !== undefined && seal === await key.mark("host", decodePercent(host) ?? host);
}
