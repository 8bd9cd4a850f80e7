/**
 * Runs the entry for Bun by itself.
 * @module
 */

import { type Config, ConfigError, readConfig } from "../../core/settings/config.ts";
import { readKeyFile } from "../process/key-file.ts";
import { start } from "../process/start-proxy.ts";
import { listen } from "./serve.ts";

/** Starts the proxy with settings from the environment. */
export async function run(): Promise<void> {
  await start(`bun ${Bun.version}`, readSettings, listen);
}

function readSettings(): Config {
  const config = readConfig(readKeyFile(process.env));
  if (config.workers === 1) return config;
  throw new ConfigError(`WORKERS is ${config.workers}, expected 1: only the command starts several workers`);
}
