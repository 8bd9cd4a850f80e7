/**
 * Which Bun the proxy needs to listen.
 * @module
 */

import { ConfigError } from "../../settings/config.ts";

/** What the proxy is tested with. Before 1.4.4 a WebSocket of a server can't be paused, and the first one ends the process. */
export const LEAST_BUN = "1.4.5";

/**
 * Checks the version of Bun; canaries stand before the version that they lead to.
 *
 * @throws {ConfigError} where it is older
 */
export function checkBun(version: string): void {
  if (Bun.semver.order(version, LEAST_BUN) >= 0) return;
  throw new ConfigError(`Bun is ${version}, expected ${LEAST_BUN} or later`);
}
