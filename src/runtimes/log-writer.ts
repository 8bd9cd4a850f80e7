/**
 * Writes log lines to stdout, many at once: a write per request would cost more than the rest of the log.
 * @module
 */

import process from "node:process";
import { type Config, formatRecord, type RecordSink } from "../index.ts";

/** Makes the sink that the setting `LOG` asks for; `undefined` for `off`. */
export function createLog({ log }: Config): RecordSink | undefined {
  if (log === "off") return undefined;
  const format = log === "auto" ? (process.stdout.isTTY ? "text" : "json") : log;
  const colours = hasColours(process.env, process.stdout.isTTY);
  let lines: string[] = [];
  // Whoever reads the log may go away; the proxy goes on.
  process.stdout.on("error", () => {});
  return (record) => {
    if (lines.push(formatRecord(record, format, colours)) > 1) return;
    setImmediate(() => {
      process.stdout.write(`${lines.join("\n")}\n`);
      lines = [];
    });
  };
}

/** What the environment says of colours (no-color.org, force-color.org): by default a terminal has them. */
export function hasColours(environment: Record<string, string | undefined>, isTerminal: boolean): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = environment;
  if (FORCE_COLOR) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTerminal && !NO_COLOR && TERM !== "dumb";
}
