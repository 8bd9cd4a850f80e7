/**
 * The address of a proxy that runs with some settings.
 * @module
 */

import type { Config } from "../../core/settings/config.ts";

type Place = Pick<Config, "host" | "tlsCert">;

/** Loopback addresses that reach a proxy which listens on all addresses. */
const NEAR: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** The host under which a program on this machine reaches the proxy. */
export function nearHost(host: string): string {
  return NEAR[host] ?? host;
}

/** The address that the proxy listens on. */
export function formatListener({ host, tlsCert }: Place, port: number): string {
  return `${tlsCert ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** The address under which a program on this machine reaches the proxy. */
export function formatNearAddress({ host, tlsCert }: Place, port: number): string {
  return formatListener({ host: nearHost(host), tlsCert }, port);
}
