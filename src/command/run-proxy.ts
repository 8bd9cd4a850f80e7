/**
 * Runs the proxy until it is stopped.
 * @module
 */

import { type Config, readConfig } from "../core/settings/config.ts";
import type { Listen, Listener } from "../runtimes/process/listener.ts";
import { readKeyFile } from "../runtimes/process/key-file.ts";
import { start } from "../runtimes/process/start-proxy.ts";
import { readFlags } from "./flags.ts";
import { FLAGS_VARIABLE, serveAsSecondary } from "./processes/secondary.ts";

/**
 * Starts the proxy, and stops it at a signal.
 *
 * @param runtime name and version of the runtime, for the start line
 */
export async function serve(runtime: string, listen: Listen, args: readonly string[]): Promise<void> {
  const flags = () => readFlags(args);
  if (process.env[FLAGS_VARIABLE]) {
    // The file may be another one by now.
    return await serveAsSecondary((key) => readConfig({ ...process.env, SIGNING_KEY: key }, flags()), listen);
  }
  await start(
    runtime,
    () => readConfig(readKeyFile(process.env), flags()),
    (config) => config.workers > 1 ? listenInMany(config) : listen(config),
  );
}

async function listenInMany(config: Config): Promise<Listener> {
  return await (await import("./processes/primary.ts")).startProcesses(config);
}
