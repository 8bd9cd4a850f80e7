/**
 * Refuses, at the start, settings for what a Worker can't or must not do: the platform makes the connections to targets,
 * and everyone can reach a Worker.
 * @module
 */

import { asksToken } from "../../core/may/token-duty.ts";
import { createGate, type Gate } from "../../parts/gate/gate.ts";
import { type Config, ConfigError } from "../../core/settings/config.ts";

/**
 * Opens the settings of a Worker.
 *
 * @param bindings hold the keys of the table of targets
 * @throws {ConfigError} for the name of a file, for a bad table of targets, and for one that a Worker must not have
 */
export function openSettings(config: Config, bindings: Readonly<Record<string, unknown>>): Gate {
  if (bindings["SIGNING_KEY_FILE"]) {
    throw new ConfigError("SIGNING_KEY_FILE is set, expected SIGNING_KEY: files can't be read here");
  }
  const gate = createGate(config, bindings);
  refuseConnections(gate);
  refuseOpenKeys(gate);
  return gate;
}

/**
 * Refuses table entries that change how a target is connected to.
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
 * Refuses a table with keys that everyone could use.
 *
 * @throws {ConfigError} if there are keys and no token is required
 */
export function refuseOpenKeys({ config, table }: Gate): void {
  if (!table || table.keys.size === 0 || asksToken(config)) return;
  throw new ConfigError(
    "TARGETS holds keys, and everyone can reach a Worker: set PROXY_TOKEN or CALLER_TOKENS",
  );
}
