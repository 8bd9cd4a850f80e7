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
  let lines: string[] = [];
  // Whoever reads the log may go away; the proxy goes on.
  process.stdout.on("error", () => {});
  return (record) => {
    if (lines.push(formatRecord(record, format)) > 1) return;
    setImmediate(() => {
      process.stdout.write(`${lines.join("\n")}\n`);
      lines = [];
    });
  };
}
