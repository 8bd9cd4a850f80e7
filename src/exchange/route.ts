/**
 * Which way a connection to a target takes: directly, or through another proxy (`UPSTREAM_PROXY`).
 * @module
 */

import { portOf } from "../address/address.ts";
import { classifyAddress, isAddress, isLoopbackHost } from "../address/ip.ts";
import type { Route } from "../address/route.ts";
import { isNamed } from "../address/target-lists.ts";
import { ProxyError } from "../http/error.ts";
import { type Config, ConfigError } from "../settings/config.ts";
import type { Judged } from "./exchange.ts";
import { isPrivateName } from "./rights.ts";
import type { Runtime } from "./runtime.ts";

/** The settings that decide the way. */
type Ways = Pick<Config, "upstreamProxy" | "noUpstream" | "upstreamDns">;

/**
 * Chooses the way for one hop. Loopback and private targets go directly: behind the upstream proxy their addresses mean
 * other machines.
 *
 * @param addresses what may be dialled; `undefined` if the name was not looked up
 * @returns `undefined` for a direct connection
 */
export function chooseRoute(config: Ways, origin: URL, addresses: Judged): Route | undefined {
  const route = routeOf(config, origin);
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
export function isHandedOn(config: Ways, origin: URL): boolean {
  if (config.upstreamDns !== "remote" || !routeOf(config, origin)) return false;
  const { hostname } = origin;
  if (isAddress(hostname) || isPrivateName(hostname)) return false;
  return !isNamed(config.noUpstream, hostname, portOf(origin), "");
}

function routeOf({ upstreamProxy }: Ways, { protocol }: URL): Route | undefined {
  return protocol === "https:" ? upstreamProxy?.https : upstreamProxy?.http;
}

/**
 * Refuses a runtime that can't do what the settings ask for.
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
 * Refuses to send a request directly that must go through another proxy.
 *
 * @throws {ProxyError} `not_implemented` if the sender makes direct connections only
 */
export function refuseDetour({ obeysRoute }: Runtime, { host }: URL): void {
  if (obeysRoute) return;
  throw new ProxyError(
    "not_implemented",
    `Cannot reach ${host}: the setting UPSTREAM_PROXY asks for a way that this sender cannot take. ` +
      "Use the runtime of fetchvia/bun, fetchvia/deno or fetchvia/node",
  );
}
