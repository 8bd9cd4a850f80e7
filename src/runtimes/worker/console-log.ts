/**
 * Writes log lines with `console`, because a Worker has no stdout.
 * @module
 */

import type { Config } from "../../core/settings/config.ts";
import { formatRecord } from "../../core/exchange/log.ts";
import type { RecordSink } from "../../core/exchange/record.ts";

/** Makes the log sink for the setting `LOG`; `undefined` for `off`. There is no terminal, so `auto` is JSON. */
export function createConsoleLog({ log }: Config): RecordSink | undefined {
  if (log === "off") return undefined;
  const format = log === "auto" ? "json" : log;
  return (record) => console.log(formatRecord(record, format));
}
