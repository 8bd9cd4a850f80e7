/**
 * Runs the entry for Bun by itself.
 * @module
 */

import { type Config, ConfigError, readConfig } from "../../core/settings/config.ts";
import { endWith, stopAtSignals } from "../process/drain.ts";
import { readKeyFile } from "../process/key-file.ts";
import { watchHangup } from "../process/reread.ts";
import { explain } from "../process/start-error.ts";
import { writeError } from "../process/write-log.ts";
import { listen } from "./serve.ts";

/** Starts the proxy with settings from the environment. If it can't start, the process ends with one line on stderr. */
export async function run(): Promise<void> {
  let config: Config | undefined;
  try {
    config = readConfig(readKeyFile(process.env));
    if (config.workers > 1) {
      throw new ConfigError(
        `WORKERS is ${config.workers}, expected 1: only the command starts several workers`,
      );
    }
    const listening = listen(config);
    watchHangup(listening, stopAtSignals(listening));
    const { port } = await listening;
    writeError(`fetchvia listening on port ${port} (bun ${Bun.version}, pid ${process.pid})`);
  } catch (error) {
    await endWith(`fetchvia cannot start: ${explain(error, config)}`);
  }
}
