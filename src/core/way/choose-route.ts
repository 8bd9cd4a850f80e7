/**
 * Which way a connection to a target takes: directly, or through another proxy (`UPSTREAM_PROXY`, or `upstream` in the
 * table), and how it is secured (rules 12.1 and 13.1); and whose logins it may carry.
 * @module
 */

import { portOf } from "../address/address.ts";
import { classifyAddress, isAddress, isLoopbackHost } from "../address/ip.ts";
import { decodeRoutes, type Route, type TargetTls } from "../address/route.ts";
import { isNamed } from "../address/target-lists.ts";
import type { Exchange, Hooks, Judged, Prepared } from "../exchange/exchange.ts";
import { findEntry } from "../exchange/hooks.ts";
import type { TableEntry } from "../exchange/table-entry.ts";
import { cannotReach } from "../http/error.ts";
import { isPrivateName } from "../may/private-targets.ts";
import type { Bonds, Outgoing, Runtime } from "../runtime.ts";
import { type Config, ConfigError } from "../settings/config.ts";

/** The settings and the parts that decide the way. */
interface Ways {
  readonly config: Pick<Config, "upstreamProxy" | "noUpstream" | "upstreamDns">;
  readonly parts: Pick<Hooks, "find">;
}

/** A direct connection. */
const DIRECT: Route = {};
/** The route through the proxy that an entry names, made once. */
const own = new WeakMap<TableEntry, Route>();
/** The routes of an entry with TLS settings, by the way they take; each is made once. */
const secured = new WeakMap<TargetTls, WeakMap<Route, Route>>();

/**
 * Chooses the route for one hop. The same entry and way give the same object, so that connections are reused among its
 * requests only.
 *
 * @param addresses what may be dialled; `undefined` if the name was not looked up
 * @returns `undefined` for a direct connection that is secured as usual
 */
export function chooseRoute(ways: Ways, origin: URL, addresses: Judged): Route | undefined {
  const entry = findEntry(ways.parts, origin);
  const way = chooseWay(ways.config, entry, origin, addresses);
  const tls = origin.protocol === "https:" ? entry?.tls : undefined;
  return tls ? secure(tls, way ?? DIRECT) : way;
}

/** False if every connection to this origin is direct and secured as usual, so that there is nothing to choose. */
export function mayDetour({ config, parts }: Ways, origin: URL): boolean {
  if (config.upstreamProxy) return true;
  const entry = findEntry(parts, origin);
  return entry !== undefined && (entry.upstream !== undefined || entry.tls !== undefined);
}

function secure(tls: TargetTls, way: Route): Route {
  const routes = secured.get(tls) ?? new WeakMap<Route, Route>();
  const route = routes.get(way) ?? { ...way, tls };
  secured.set(tls, routes.set(way, route));
  return route;
}

/** Loopback and private targets go directly: behind another proxy their addresses mean other machines. */
function chooseWay(
  config: Ways["config"],
  entry: TableEntry | undefined,
  origin: URL,
  addresses: Judged,
): Route | undefined {
  const route = wayOf(config, entry, origin);
  if (!route || isLoopbackHost(origin.hostname)) return undefined;
  const port = portOf(origin);
  const isDirect = (address: string) =>
    classifyAddress(address) !== "public" || isNamed(config.noUpstream, origin.hostname, port, address);
  const isListed = isNamed(config.noUpstream, origin.hostname, port, "");
  return isListed || addresses?.some(isDirect) ? undefined : route;
}

/**
 * True if a name is not looked up here, because the upstream proxy does it (`UPSTREAM_DNS=remote`). Private names are
 * always looked up here.
 */
export function isHandedOn({ config, parts }: Ways, origin: URL): boolean {
  if (config.upstreamDns !== "remote") return false;
  if (!wayOf(config, findEntry(parts, origin), origin)) return false;
  const { hostname } = origin;
  if (isAddress(hostname) || isPrivateName(hostname)) return false;
  return !isNamed(config.noUpstream, hostname, portOf(origin), "");
}

/** The `upstream` of an entry takes priority over the setting. */
function wayOf(
  { upstreamProxy }: Ways["config"],
  entry: TableEntry | undefined,
  { protocol }: URL,
): Route | undefined {
  if (entry?.upstream === "direct") return undefined;
  if (entry?.upstream !== undefined) return ownWay(entry, entry.upstream);
  return protocol === "https:" ? upstreamProxy?.https : upstreamProxy?.http;
}

function ownWay(entry: TableEntry, upstream: string): Route | undefined {
  const route = own.get(entry) ?? decodeRoutes(upstream)?.https;
  if (route) own.set(entry, route);
  return route;
}

/**
 * Refuses a runtime that can't do what the settings require.
 *
 * @throws {ConfigError} if connections must go through another proxy, and the runtime makes direct ones only
 */
export function checkRuntime(
  { upstreamProxy }: Pick<Config, "upstreamProxy">,
  { obeysRoute }: Runtime,
): void {
  if (!upstreamProxy || obeysRoute) return;
  throw new ConfigError(
    "UPSTREAM_PROXY is set, expected none here: this runtime connects directly only. Use Bun, Deno or Node",
  );
}

/**
 * Refuses a request that must take a special route, if the sender can't take one.
 *
 * @throws {ProxyError} `not_implemented` if the sender obeys no route
 */
export function refuseDetour({ obeysRoute }: Runtime, { host }: URL, { tls }: Route): void {
  if (obeysRoute) return;
  const asked = tls
    ? "its entry in the table of targets asks for certificates that this sender does not know"
    : "the setting UPSTREAM_PROXY, or upstream in the table of targets, asks for a way that this sender cannot take";
  const state = `${asked}. Use the runtime of fetchvia/bun, fetchvia/deno or fetchvia/node`;
  throw cannotReach("not_implemented", host, state, { names: ["UPSTREAM_PROXY"] });
}

/**
 * The bonds for a request; `undefined` if it may have none.
 *
 * @param sent the fields that are sent
 */
export function lendBonds(
  exchange: Exchange,
  request: Prepared,
  sent: Outgoing["headers"],
): Bonds | undefined {
  const { incoming: { bonds, headers }, caller, config, asker, token } = exchange;
  if (!bonds || request.isStray) return undefined;
  // Almost always the connection has one user.
  const isKeyed = sent !== request.headers &&
    sent.get("authorization") !== request.headers.get("authorization");
  const isShared = config.trustedProxies.length > 0 || token !== undefined;
  if (!isKeyed && !isShared && asker !== "console" && asker !== "granted") return bonds;
  const page = asker === "granted" ? headers.get("origin") : asker === "console" && "console";
  const user = isShared && [caller.address, token?.claims.id];
  // A key that the proxy adds does not belong to the caller, who may lose the right to use it.
  return bonds.part(JSON.stringify([page, user, isKeyed]));
}
