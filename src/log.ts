/**
 * One line for each request, as JSON or as text (contract 7).
 * @module
 */

import type { RequestRecord } from "./record.ts";

/** How log lines are written. */
export type LogFormat = "text" | "json";

/** Writes a record as one line, without its end. Never a path, a query, a cookie or a credential. */
export function formatRecord(record: RequestRecord, format: LogFormat): string {
  return format === "json" ? formatJson(record) : formatText(record);
}

function formatJson(record: RequestRecord): string {
  const { time, method, selector, target, status, bytesIn, bytesOut, headMs, totalMs, caller, error, cause } =
    record;
  return JSON.stringify({
    time: new Date(time).toISOString(),
    method,
    selector,
    target,
    status,
    bytes_in: bytesIn,
    bytes_out: bytesOut,
    ms_head: headMs,
    ms: totalMs,
    caller,
    error,
    cause: cause === undefined ? undefined : readCauses(cause),
  });
}

function formatText(record: RequestRecord): string {
  const { time, method, selector = "-", target = "-", status, bytesIn, bytesOut, headMs, totalMs, caller } =
    record;
  const clock = new Date(time).toISOString().slice(11, 23);
  const failure = record.error ? ` ${[record.error, ...readCauses(record.cause)].join(" < ")}` : "";
  return `${clock} ${method} ${status} ${selector} ${target} ${headMs}/${totalMs} ms ${bytesIn}/${bytesOut} B ${caller}${failure}`;
}

/** The codes along a chain of causes; where there is none, the name. Messages of runtimes may hold whole addresses. */
function readCauses(cause: unknown): string[] {
  const names: string[] = [];
  for (let link = cause; typeof link === "object" && link !== null && names.length < 5;) {
    const { code, name, cause: next } = link as { code?: unknown; name?: unknown; cause?: unknown };
    // A DOMException has a number for its code, which tells nobody anything.
    names.push(String(typeof code === "string" ? code : name ?? "Error"));
    link = next;
  }
  return names;
}
