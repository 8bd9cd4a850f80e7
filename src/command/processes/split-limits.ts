/**
 * Splits `MAX_CONCURRENT` and `CAPTURE_BYTES` between the processes of `WORKERS`.
 * @module
 */

import type { Config } from "../../core/settings/setting.ts";

/** The settings of one process: the port, and its share of concurrent requests and of the memory for captures. */
export function splitLimits(config: Config, port: number): Config {
  const maxConcurrent = Math.floor(config.maxConcurrent / config.workers);
  const captureBytes = Math.floor(config.captureBytes / config.workers);
  return { ...config, port, workers: 1, maxConcurrent, captureBytes };
}
