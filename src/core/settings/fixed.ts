/**
 * Settings that never change while a proxy runs.
 * @module
 */

import { type Config, ConfigError } from "./config.ts";
import { revokedFileOf } from "./values.ts";

/**
 * The settings alone.
 *
 * @throws {ConfigError} as `readRevoked`, and for a table of targets, which nothing would apply
 */
export function fixSettings(config: Config) {
  if (config.targets !== undefined) {
    throw new ConfigError("TARGETS is set, expected a part that applies the table of targets");
  }
  return { config, revoked: readRevoked(config), version: 0 };
}

/**
 * The ids of revoked tokens.
 *
 * @throws {ConfigError} for the name of a file, because files can't be read here
 */
export function readRevoked({ revokedTokens }: Config): ReadonlySet<string> {
  const file = revokedTokens.find((entry) => revokedFileOf(entry) !== undefined);
  if (file === undefined) return new Set(revokedTokens);
  throw new ConfigError(
    `REVOKED_TOKENS names ${JSON.stringify(file)}, expected ids: files can't be read here`,
  );
}
