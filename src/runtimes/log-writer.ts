/**
 * Writes log lines to stdout, many at once: a write per request would cost more than the whole core. What the proxy
 * has to say of itself goes to stderr.
 * @module
 */

import process from "node:process";
import { type Config, formatRecord, type RecordSink } from "../index.ts";

/** Lines wait for others this many milliseconds, or until there are so many: what waits longer, the collector has to keep. */
const GATHER_MS = 20;
const GATHERED_LINES = 50;

/** Makes the sink that the setting `LOG` asks for; `undefined` for `off`. */
export function createLog({ log }: Config): RecordSink | undefined {
  if (log === "off") return undefined;
  const format = log === "auto" ? (process.stdout.isTTY ? "text" : "json") : log;
  const colours = hasColours(process.env, process.stdout.isTTY);
  let lines: string[] = [];
  let timer: unknown;
  // Whoever reads the log may go away; the proxy goes on.
  process.stdout.on("error", () => {});
  const flush = () => {
    if (lines.length) process.stdout.write(`${lines.join("\n")}\n`);
    lines = [];
  };
  process.on("exit", flush);
  return (record) => {
    if (lines.push(formatRecord(record, format, colours)) >= GATHERED_LINES) return flush();
    timer ??= setTimeout(() => {
      timer = undefined;
      flush();
    }, GATHER_MS);
  };
}

/** What the environment says of colours (no-color.org, force-color.org): by default a terminal has them. */
export function hasColours(environment: Record<string, string | undefined>, isTerminal: boolean): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = environment;
  if (FORCE_COLOR) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTerminal && !NO_COLOR && TERM !== "dumb";
}

/** Writes a line to stderr. Not by `console.error`: Bun's makes every line red. */
export function writeError(line: string): void {
  process.stderr.write(`${line}\n`);
}
