/**
 * Checks the version of Bun.
 * @module
 */

import { ConfigError } from "../../core/settings/config.ts";

/** The tested version. Before 1.4.4 a server WebSocket can't be paused, and the first one ends the process. */
const LEAST_BUN = "1.4.5";

/**
 * Checks the version of Bun. A canary counts as older than its release.
 *
 * @throws {ConfigError} if it is too old
 */
export function checkBun(version: string): void {
  if (Bun.semver.order(version, LEAST_BUN) >= 0) return;
  throw new ConfigError(`Bun is ${version}, expected ${LEAST_BUN} or later`);
}
