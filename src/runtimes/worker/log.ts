/**
 * Writes log lines with `console`, because a Worker has no stdout.
 * @module
 */

import type { Config } from "../../settings/config.ts";
import { formatRecord } from "../../exchange/log.ts";
import type { RecordSink } from "../../exchange/record.ts";

/** Makes the log sink for the setting `LOG`; `undefined` for `off`. There is no terminal, so `auto` is JSON. */
export function createConsoleLog({ log }: Config): RecordSink | undefined {
  if (log === "off") return undefined;
  const format = log === "auto" ? "json" : log;
  return (record) => console.log(formatRecord(record, format));
}
