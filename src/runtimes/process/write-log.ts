/**
 * Writes log lines to stdout, and the proxy's own messages to stderr.
 * @module
 */

import type { Config } from "../../core/settings/config.ts";
import { formatRecord } from "../../core/exchange/log.ts";
import type { RecordSink } from "../../core/exchange/record.ts";
import { stderr, stdout } from "./output.ts";

/** Makes the log sink for the setting `LOG`; `undefined` for `off`. */
export function createLog({ log }: Config): RecordSink | undefined {
  if (log === "off") return undefined;
  const format = log === "auto" ? (process.stdout.isTTY ? "text" : "json") : log;
  const colours = hasColours(process.env, process.stdout.isTTY);
  return (record) => stdout.push(formatRecord(record, format, colours));
}

/** Whether to use colours: by the environment (no-color.org, force-color.org), or on a terminal. */
export function hasColours(environment: Record<string, string | undefined>, isTerminal: boolean): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = environment;
  if (FORCE_COLOR) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTerminal && !NO_COLOR && TERM !== "dumb";
}

/** Writes a line to stderr. */
export function writeError(line: string): void {
  stderr.push(line);
}
