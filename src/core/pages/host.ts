/**
 * `/__proxy__/?host=`: stores, changes and clears the host of a caller (specification 4.2).
 * @module
 */

import { decodePercent } from "../http/text.ts";
import { type Address, decodeBase, encodeText } from "../address/address.ts";
import { findBaseFault } from "../address/fault.ts";
import { answerJson, answerWith } from "../http/answer.ts";
import { ProxyError, proxyStatusOf } from "../http/error.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { Fields, type FieldWriter } from "../http/fields.ts";
import { isTopNavigation, isTyped } from "../http/headers.ts";
import type { Reply } from "../http/reply.ts";
import { endWay, isOfOperator, isOwnLink, isWayBack, mayBeLed, sealHost } from "../may/host-cookie.ts";
import { THEN_PARAMETER } from "../address/location.ts";
import { hasProof } from "./page-proof.ts";
import { readParameter, readQuery } from "../address/query.ts";
import { isOwnPath, RESERVED } from "../address/reserved-paths.ts";
import { isConfigured, isPrivateAddress, isPrivateHost } from "../may/private-targets.ts";
import { isBase, refuseBase } from "../who/host-selectors.ts";
import { selectTarget } from "../steps/target.ts";
import { parseUrl } from "../address/url.ts";
import { cookieNames, ownCookie } from "../http/cookies.ts";
import { fitsPair } from "../http/refused-cookie.ts";
import { noteName, readNotes } from "../http/cookie-jar.ts";

/** The console, whose form works without a script. */
const PAGE = `${RESERVED}/`;
const YEAR_SECONDS = 31_536_000;

/**
 * Stores the host, and answers with the result or redirects. A change of origin also expires the previous host's cookies.
 *
 * @param sent the parameter as sent
 * @throws {ProxyError} `forbidden` if a page of a target sends the request
 */
export async function storeHost(exchange: Exchange, sent: string): Promise<Reply> {
  const host = decodePercent(sent);
  const base = host ? decodeBase(host) : undefined;
  if (host === undefined) return refuseHost(exchange, sent, "has malformed percent-encoding");
  if (host && !base) return refuseHost(exchange, host, findBaseFault(host));
  const pair = `proxy_host=${encodeURIComponent(host)}`;
  if (!fitsPair(pair)) return refuseHost(exchange, host, "is longer than browsers store in a cookie");
  const { incoming, caller, carried: { cookie, label }, config: { mountPath, target } } = exchange;
  checkLabel(exchange, base);
  const then = readParameter(readQuery(exchange.path), THEN_PARAMETER);
  if (then !== undefined) checkOpened(exchange);
  const isKnown = isOf(cookie, base) || await checkMover(exchange, base);
  const headers = new Fields();
  const { isSecure } = caller;
  const seal = await sealHost(exchange, host);
  for (const one of seal ? [pair, seal] : [pair]) {
    headers.append("set-cookie", ownCookie(one, mountPath, isSecure, base ? YEAR_SECONDS : 0));
  }
  const end = endWay(exchange, base?.origin);
  if (end) headers.append("set-cookie", end);
  const before = cookie ?? (label === undefined ? target : undefined);
  if (!base || (before !== undefined && !isOf(before, base))) {
    expireCookies(headers, incoming.headers.get("cookie"), { mountPath, isSecure, isAll: !base });
  }
  const next = isKnown || !mayBeLed(exchange) ? readNext(then, exchange) : undefined;
  if (next === undefined) return answerJson({ host, status: true }, 200, headers);
  headers.set("location", next);
  headers.set("cache-control", "no-store");
  return answerWith(303, headers);
}

function isOf(before: Address | ProxyError | undefined, base: Address | undefined): boolean {
  return isBase(before) && before.origin.origin === base?.origin.origin;
}

/** The 400 has a body of its own (specification 2.2), so only `Proxy-Status` and the log say why. */
function refuseHost({ record }: Exchange, host: string, fault: string): Reply {
  const error = refuseBase("parameter host", fault);
  record.refuse(error);
  record.reason = error.message;
  return answerJson({ host, status: false }, error.status, Object.entries(proxyStatusOf(error)));
}

/** Refuses to set another host on a label: the next request would be refused because of the cookie. */
function checkLabel(
  { caller, carried: { label, header }, config }: Exchange,
  base: Address | undefined,
): void {
  if (!base || !caller.isBrowser || label === undefined || header !== undefined) return;
  selectTarget({ carried: { header: undefined, cookie: base, label }, caller, config }, "/");
}

/** Refuses images and scripts that set the host and continue: they would switch the whole browser to another host. */
function checkOpened({ incoming: { headers } }: Exchange): void {
  if (!headers.has("sec-fetch-mode") || isTopNavigation(headers)) return;
  throw new ProxyError(
    "forbidden",
    "Cannot set the host and go on: a part of a page asked for it. Open the link in a window of its own",
  );
}

/**
 * A page that switches the host could read the next host as its own. So in a browser only three may switch it: the
 * console, the user by a typed address, and the proxy itself for a target's redirect.
 *
 * @returns true for the console, and for a link that the proxy made
 */
async function checkMover(exchange: Exchange, base: Address | undefined): Promise<boolean> {
  const { incoming: { headers }, asker } = exchange;
  if (asker === "console" || await hasProof(exchange)) return true;
  if (await isOwnLink(exchange)) {
    await checkWay(exchange, base);
    return true;
  }
  if (asker === "program" || asker === "granted" || isTyped(headers)) return false;
  // A browser that sends Fetch Metadata always sends `Sec-Fetch-Mode`.
  if (!headers.has("sec-fetch-mode")) return false;
  throw new ProxyError(
    "forbidden",
    "Cannot set the host: a page of a target asked for it. Use the console at /__proxy__/, or type the address",
  );
}

/** A public host must not lead a browser into your network, unless the browser came from there. */
async function checkWay(exchange: Exchange, base: Address | undefined): Promise<void> {
  const { carried: { cookie }, config } = exchange;
  if (!base || !isBase(cookie) || typeof config.privateTargets === "boolean") return;
  if (isOfOperator(config, cookie.origin) || !await leadsInside(exchange, base.origin)) return;
  if (await isWayBack(exchange, cookie.origin, base.origin)) return;
  throw new ProxyError(
    "forbidden",
    `Cannot go on to ${base.origin.host}: ${cookie.origin.host} leads to a private host. ` +
      "Set the host at /__proxy__/",
  );
}

/** True for a private host. If a setting names the host, only its addresses decide. */
async function leadsInside({ config, runtime, resolver }: Exchange, origin: URL): Promise<boolean> {
  if (isPrivateHost(config, origin)) return true;
  if (!isConfigured(config, origin) || !runtime.resolve) return false;
  const addresses = await resolver.resolve(origin.hostname, runtime.resolve);
  return addresses.some(isPrivateAddress);
}

/**
 * Reads where to continue after setting the host. Of the proxy's own paths only the console is allowed, because others
 * could set another host.
 */
function readNext(then: string | undefined, { caller, config: { mountPath } }: Exchange): string | undefined {
  const path = then === undefined ? undefined : decodePercent(then);
  if (!path?.startsWith("/") || !caller.host) return undefined;
  const next = caller.origin + mountPath + encodeText(path);
  if (path === PAGE) return next;
  const url = parseUrl(next);
  return url && !isOwnPath(url.pathname, mountPath) ? next : undefined;
}

/** Maximum `Set-Cookie` lines in one response, including the host's: a caller could send thousands of names. */
const MAX_LINES = 50;

/** Options for expiring cookies. */
interface ExpireOptions {
  /** Where the proxy is mounted. */
  mountPath: string;
  /** Whether the caller came over https. */
  isSecure: boolean;
  /** True to expire cookies that are stored for hosts too, because the host is cleared. */
  isAll: boolean;
}

/**
 * Appends the lines: first for noted cookies under other paths, then for those in the request. If there are too many
 * for one response, `Proxy-Status` says so, and another request expires the rest.
 */
export function expireCookies(headers: FieldWriter, cookie: string | null, options: ExpireOptions): void {
  const { mountPath, isSecure, isAll } = options;
  // A browser keeps a cookie of the same name that is `Partitioned` apart. Over http there is none.
  const copies = isSecure ? ["", "; Partitioned"] : [""];
  const flags = isSecure ? "; Secure" : "";
  const expire = (name: string, path = mountPath || "/") =>
    `${name}=; Path=${path}; HttpOnly; Max-Age=0${flags}`;
  const noted = readNotes(cookie).flatMap((note) => [expire(note.name, note.path), expire(noteName(note))]);
  const shown = cookieNames(cookie, isAll).filter(Boolean).map((name) => expire(name));
  const lines = [...new Set([...noted, ...shown])];
  const most = Math.floor((MAX_LINES - 1) / copies.length);
  for (const line of lines.slice(0, most)) {
    for (const copy of copies) headers.append("set-cookie", line + copy);
  }
  const left = lines.length - most;
  if (left > 0) headers.set("proxy-status", `fetchvia; details="${left} cookies are left: ask again"`);
}
