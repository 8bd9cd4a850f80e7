/**
 * Decides what a caller or page may reach. One law: a page that a target served has no more rights through the proxy
 * than on the open web. `docs/SECURITY.md` explains it.
 * @module
 */

import type { Endpoint } from "../exchange/findings.ts";
import { portOf } from "../address/address.ts";
import { readAuthority } from "../address/authority.ts";
import type { Exchange, Target } from "../exchange/exchange.ts";
import { cannotReach } from "../http/error.ts";
import { isNavigation, isUpgrade } from "../http/headers.ts";
import { classifyAddress, isAddress, VERDICT_CLASSES } from "../address/ip.ts";
import { isNamed, permitsPrivate } from "../address/target-lists.ts";
import { namesFront } from "../who/caller.ts";
import { type Carried, isBase } from "../who/host-selectors.ts";
import { hasToken } from "./token-duty.ts";

/** Why a private target is refused. */
export type Refusal =
  /** `PRIVATE_TARGETS` is `false`, or it is `auto` and the caller is on another machine. */
  | "closed"
  | "remote"
  /** The request came through a front proxy, so its origin is unknown. */
  | "fronted"
  /** The Host is not a name of this proxy, which suggests DNS rebinding. */
  | "unknown_host"
  | "stranger"
  /** A page uses a name that looks public. */
  | "public_name"
  /** A page may have set the cookie that names the host. */
  | "unsealed"
  /** The page would read a private host other than its own. */
  | "other_host"
  /** A page or link made the browser do more than read, and its user has not confirmed it. */
  | "unconfirmed"
  /** The name has public addresses too, which suggests DNS rebinding. */
  | "mixed";

/**
 * Decides whether a private address may be dialled.
 *
 * @param address the private address, one of those that the name resolves to
 * @returns `undefined` if it may
 */
export function refusePrivate(
  exchange: Exchange,
  target: Target,
  hop: Endpoint,
  address: string,
): Refusal | undefined {
  const { config, asker } = exchange;
  const { privateTargets, allowTargets } = config;
  const isListed = allowTargets.length > 0 && permitsPrivate(allowTargets, hop.hostname, hop.port, address);
  if (privateTargets === false && !isListed) return "closed";
  const isForced = privateTargets === true || isListed;
  const distance = isForced ? isKnownHost(exchange) ? undefined : "unknown_host" : refuseFar(exchange);
  if (distance || asker === "program") return distance;
  if (asker === "stranger" && !hasToken(exchange)) return "stranger";
  const refusal = isForced || asker !== "page" ? undefined : refusePage(exchange, target, hop, address);
  return refusal ?? (target.isUnasked ? "unconfirmed" : undefined);
}

/** True if a browser opens the target in a window or frame, unless a page of the same host opened it. */
export function isLedTo(exchange: Exchange, { origin }: { origin: URL }): boolean {
  const { incoming: { headers }, carried, config, asker } = exchange;
  if (asker === "program" || asker === "granted" || !isNavigation(headers)) return false;
  const isOwn = readPageHost(carried, config)?.origin === origin.origin;
  return !(isOwn && headers.get("sec-fetch-site") === "same-origin");
}

/** `auto` is for callers on this machine: listener and Host are loopback, and there is no front proxy. */
function refuseFar(exchange: Exchange): "remote" | "fronted" | undefined {
  const { runtime, caller, plan } = exchange;
  if (!runtime.listensOnLoopback || !readAuthority(caller.host).isLoopback) return "remote";
  plan.isFronted ??= namesFront(plan.head);
  return plan.isFronted ? "fronted" : undefined;
}

/** Decides what a target's page may reach with `auto`. */
function refusePage(exchange: Exchange, target: Target, hop: Endpoint, address: string): Refusal | undefined {
  const { config, carried, incoming: { headers } } = exchange;
  if (exchange.isUnsealed) return "unsealed";
  if (isOpened(config, hop, address)) return undefined;
  if (!isPrivateName(hop.hostname) && !isConfigured(config, hop.origin)) return "public_name";
  if (target.selector === "label" || target.selector === "cookie" || target.selector === "preset") {
    return undefined;
  }
  const own = readPageHost(carried, config);
  if (own?.origin === hop.origin.origin) return undefined;
  // On a label the page's service worker sees every navigation and can read the response.
  if (carried.label !== undefined || isReading(headers)) return "other_host";
  // A page can read a window that it opens on its own origin, so confirmation is not offered there.
  const isOwnErrand = target.isUnasked === true && headers.get("sec-fetch-site") !== "none";
  const isLook = isNavigation(headers) && target.selector !== "header" && !isOwnErrand;
  return isLook || own === undefined || isPrivateHost(config, own) ? undefined : "other_host";
}

/** The host of the page that sends the request. */
function readPageHost({ label, cookie }: Carried, config: Exchange["config"]): URL | undefined {
  const base = label ?? cookie ?? config.target;
  return isBase(base) ? base.origin : undefined;
}

/** True if a script can read the response. Embedded images, scripts and styles, and navigations, do not count. */
function isReading(headers: Exchange["incoming"]["headers"]): boolean {
  const mode = headers.get("sec-fetch-mode");
  if (isUpgrade(headers)) return true;
  return mode === "no-cors"
    ? headers.get("sec-fetch-dest") === "empty"
    : mode !== null && mode !== "navigate";
}

/** True if a setting opens private targets to callers on other machines. */
export function opensPrivate({ privateTargets, allowTargets }: Exchange["config"]): boolean {
  return privateTargets === true || allowTargets.some((entry) => {
    if (entry.kind === "name") return isPrivateName(entry.host);
    return entry.kind === "range" && isPrivateAddress(entry.cidr[0].toString());
  });
}

/** True for a name that always resolves to private networks, and for every IP address. */
export function isPrivateName(hostname: string): boolean {
  if (isAddress(hostname)) return true;
  const name = hostname.toLowerCase().replace(/\.$/, "");
  return !name.includes(".") || /\.(?:localhost|local|internal|home\.arpa)$/.test(name);
}

/** True if the list in `PRIVATE_TARGETS` names the target. */
export function isOpened(
  { privateTargets }: Exchange["config"],
  { hostname, port }: Pick<Endpoint, "hostname" | "port">,
  address: string,
): boolean {
  return typeof privateTargets === "object" && isNamed(privateTargets, hostname, port, address);
}

/** True for a host that is private by its name or the settings. */
export function isPrivateHost(config: Exchange["config"], origin: URL): boolean {
  const { hostname } = origin;
  if (isAddress(hostname)) return isPrivateAddress(hostname);
  return isPrivateName(hostname) || isOpened(config, { hostname, port: portOf(origin) }, "");
}

/** True for a private address. */
export function isPrivateAddress(address: string): boolean {
  return VERDICT_CLASSES[classifyAddress(address)] === "private";
}

/** True if `PROXY_LABELS` or `TARGET` names the target. */
export function isConfigured({ proxyLabels, target }: Exchange["config"], { host }: URL): boolean {
  return [...proxyLabels.values(), target].some((base) => base?.origin.host === host);
}

/**
 * True where browsers identify themselves. Over plain http on a name that is not loopback, they send no Fetch Metadata (W3C
 * Fetch Metadata §2: to trustworthy origins only), so a page looks like a program there.
 */
export function isTold({ caller }: Pick<Exchange, "caller">): boolean {
  return caller.isSecure || readAuthority(caller.host).isLoopback;
}

/** True if a token was shown, or Host is a name of this proxy. A page of another name cannot send such a Host. */
function isKnownHost(exchange: Pick<Exchange, "caller" | "config" | "token">): boolean {
  const { host } = exchange.caller;
  return hasToken(exchange) || host === "" || isAddress(readAuthority(host).name) || isOwnName(exchange);
}

/** True if Host is a name that the settings give this proxy, or one of this machine. */
export function isOwnName({ caller, config }: Pick<Exchange, "caller" | "config">): boolean {
  const { name, port = caller.isSecure ? 443 : 80, isLoopback } = readAuthority(caller.host);
  const { proxyDomain, hosts } = config;
  // If it has other characters, programs disagree on whether it is a subdomain.
  if (!/^(?:[\w.-]+|\[.*\])$/.test(name)) return false;
  return isLoopback || name === proxyDomain || name.endsWith(`.${proxyDomain}`) ||
    isNamed(hosts, name, port, name);
}

/**
 * True for callers who may see live traffic: those who may reach private targets, or sent the token. A caller with a
 * token of its own may not: that token is for its own requests.
 */
export function maySeeTraffic(exchange: Exchange): boolean {
  const { asker, carried, config, token } = exchange;
  if (token) return false;
  const isOnLabel = carried.label !== undefined && asker !== "program";
  if (isOnLabel || asker === "stranger") return false;
  if (config.proxyToken !== "") return true;
  if (typeof config.privateTargets !== "boolean") return isNear(exchange);
  return config.privateTargets && isKnownHost(exchange);
}

/** True for callers whom the settings let reach private targets in general, not only a host of their own. */
export function mayReachPrivate(exchange: Exchange): boolean {
  const { asker, config: { privateTargets } } = exchange;
  if (asker === "page" || asker === "stranger" || privateTargets === false) return false;
  return privateTargets === true ? isKnownHost(exchange) : isNear(exchange);
}

/** True for a caller on this machine that uses a loopback name, which no page of another site has, and no front proxy. */
export function isNear(exchange: Exchange): boolean {
  return refuseFar(exchange) === undefined;
}

/** Ports of other protocols, which could take a request for commands: browsers open them for no page (Fetch §2.9). */
const BLOCKED: ReadonlySet<number> = new Set([
  ...[1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103],
  ...[104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513],
  ...[514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720],
  ...[1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);

/**
 * Refuses a blocked port to pages: but to the page of that very host, and what the settings name as a target.
 *
 * @param named the target that the caller named: a redirect from there is nobody's wish
 * @throws {ProxyError} `forbidden`
 */
export function refusePort(
  { asker, caller, carried, config }: Exchange,
  { origin, port }: Endpoint,
  named: Pick<Target, "origin">,
): void {
  if (!BLOCKED.has(port) || asker === "program" || asker === "console" || asker === "granted") return;
  const wanted = asker === "user" ? named.origin : readPageHost(carried, config);
  const isOwn = wanted?.origin === origin.origin;
  if ((isOwn && !caller.isForeign) || isConfigured(config, origin)) return;
  const state = "browsers open this port for no page. Name it in PROXY_LABELS";
  throw cannotReach("forbidden", origin.host, state, { names: ["PROXY_LABELS"] });
}
