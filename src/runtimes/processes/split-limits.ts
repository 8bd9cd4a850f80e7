/**
 * Splits `MAX_CONCURRENT` between the processes of `WORKERS`.
 * @module
 */

import type { Config } from "../../settings/setting.ts";

/** The settings of one process: its own port, and its part of the limit of concurrent requests. */
export function splitLimits(config: Config, port: number): Config {
  const maxConcurrent = Math.floor(config.maxConcurrent / config.workers);
  return { ...config, port, workers: 1, maxConcurrent };
}
