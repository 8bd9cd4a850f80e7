/**
 * Starts a proxy as a process of its own.
 * @module
 */

import type { Config } from "../../core/settings/config.ts";
import { endWith, stopAtSignals } from "./drain.ts";
import type { Listener } from "./listener.ts";
import { watchHangup } from "./reread.ts";
import { explain } from "./start-error.ts";
import { formatStartLine, listWarnings } from "./start-line.ts";
import { loadTable } from "./targets-file.ts";
import { refusePipe } from "./watch-file.ts";
import { writeError } from "./write-log.ts";

/**
 * Starts the proxy, and stops it at a signal. If it can't start, the process ends with one line on stderr.
 *
 * @param runtime name and version of the runtime, for the start line
 * @param read reads the settings
 * @param listen settles when the proxy serves
 */
export async function start(
  runtime: string,
  read: () => Config,
  listen: (config: Config) => Promise<Listener>,
): Promise<void> {
  let config: Config | undefined;
  try {
    config = read();
    const table = config.targets === undefined ? undefined : loadTable(config.targets, refusePipe);
    const listening = listen(config);
    watchHangup(listening, stopAtSignals(listening));
    const listener = await listening;
    for (const line of listWarnings(config, listener, process.env)) writeError(`fetchvia: WARNING, ${line}`);
    writeError(formatStartLine(runtime, config, listener, table));
  } catch (error) {
    await endWith(`fetchvia cannot start: ${explain(error, config)}`);
  }
}
