/**
 * Refuses what a Worker can't do, at the start: the platform makes the connections to targets.
 * @module
 */

import type { Gate } from "../../exchange/gate/gate.ts";
import { ConfigError } from "../../settings/config.ts";

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
    } changes the connection, expected no certificates, ` +
      "upstream or host here: the platform connects",
  );
}
