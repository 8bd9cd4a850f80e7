/**
 * Runs the proxy until it is stopped.
 * @module
 */

import { type Config, readConfig } from "../core/settings/config.ts";
import { explain } from "../runtimes/process/start-error.ts";
import { formatStartLine, listWarnings } from "./start-line.ts";
import { endWith, stopAtSignals } from "../runtimes/process/drain.ts";
import type { Listen, Listener } from "../runtimes/process/listener.ts";
import { readKeyFile } from "../runtimes/process/key-file.ts";
import { loadTable } from "../runtimes/process/targets-file.ts";
import { writeError } from "../runtimes/process/write-log.ts";
import { watchHangup } from "../runtimes/process/reread.ts";
import { readFlags } from "./flags.ts";
import { FLAGS_VARIABLE, serveAsSecondary } from "./processes/secondary.ts";

/**
 * Starts the proxy, and stops it at a signal.
 *
 * @param runtime name and version of the runtime, for the start line
 */
export async function serve(runtime: string, listen: Listen, args: readonly string[]): Promise<void> {
  let config: Config | undefined;
  try {
    config = readConfig(readKeyFile(process.env), readFlags(args));
    if (process.env[FLAGS_VARIABLE]) return await serveAsSecondary(config, listen);
    const table = config.targets === undefined ? undefined : loadTable(config.targets);
    const listening = config.workers > 1 ? listenInMany(config) : listen(config);
    watchHangup(listening, stopAtSignals(listening));
    const listener = await listening;
    for (const line of listWarnings(config, listener, process.env)) writeError(`fetchvia: WARNING, ${line}`);
    writeError(formatStartLine(runtime, config, listener, table));
  } catch (error) {
    await endWith(`fetchvia cannot start: ${explain(error, config)}`);
  }
}

async function listenInMany(config: Config): Promise<Listener> {
  return await (await import("./processes/primary.ts")).startProcesses(config);
}
