/**
 * Refuses what a Worker can't or must not do, at the start: the platform makes the connections to targets, and everyone
 * can reach it.
 * @module
 */

import { asksToken } from "../../core/may/rights.ts";
import type { Gate } from "../../parts/gate/gate.ts";
import { ConfigError } from "../../core/settings/config.ts";

/**
 * Refuses entries that change a connection.
 *
 * @throws {ConfigError} naming the entry
 */
export function refuseConnections({ table }: Gate): void {
  const entry = table?.entries.find(({ tls, upstream, keepsHost }) => tls || upstream || keepsHost);
  if (!entry) return;
  throw new ConfigError(
    `Cannot use TARGETS: entry ${
      JSON.stringify(entry.name)
    } changes the connection, expected no member about TLS, ` +
      "upstream or host here: the platform connects",
  );
}

/**
 * Refuses keys that everyone could ask for.
 *
 * @throws {ConfigError} without a token
 */
export function refuseOpenKeys({ config, table }: Gate): void {
  if (!table || table.keys.size === 0 || asksToken(config)) return;
  throw new ConfigError(
    "TARGETS holds keys, and everyone can reach a Worker: set PROXY_TOKEN or CALLER_TOKENS",
  );
}
