/**
 * One line for each request, as JSON or as text (rule 7.3).
 * @module
 */

import type { RequestRecord } from "./record.ts";
import { memoizeLast } from "../http/memo.ts";
import type { LogFormat } from "../settings/setting.ts";

/** Callers choose methods and hosts, up to 60 KB. Log lines stay short. */
const MAX_LENGTH = 256;

/** A short fact that JSON leaves as it is: printable ASCII without quotes and backslashes. */
const PLAIN = /^[ !#-[\]-~]{0,256}$/;

/** Control characters, and line ends. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]/gu;

/** Colours of a terminal, by their numbers (ECMA-48 §8.3.117). */
const DIM = 2, RED = 31, GREEN = 32, YELLOW = 33, CYAN = 36;

/**
 * Formats a record as one line, without the line end. It never contains a path, a query, a cookie or a credential. Its
 * only control characters are those of the colours.
 *
 * @param hasColours for terminals; text format only
 */
export function formatRecord(record: RequestRecord, format: LogFormat, hasColours = false): string {
  return format === "json" ? formatJson(record) : formatText(record, hasColours ? paint : keep);
}

function formatJson(record: RequestRecord): string {
  const { time, method, selector, target, status, bytesIn, bytesOut, headMs, totalMs, caller, callerId } =
    record;
  const { error, reason, cause } = record;
  const aim = (selector ? `,"selector":"${selector}"` : "") + (target ? `,"target":${quote(target)}` : "");
  const failure = (error ? `,"error":"${error}"` : "") +
    (reason === undefined && cause === undefined ? "" : `,"cause":${JSON.stringify(readCauses(record))}`);
  return `{"time":"${formatTime(time)}","id":"${record.id}","method":${
    quote(method)
  }${aim},"status":${status}` +
    `,"bytes_in":${bytesIn},"bytes_out":${bytesOut},"ms_head":${headMs},"ms":${totalMs}` +
    `,"caller":${quote(caller)}${callerId ? `,"caller_id":${quote(callerId)}` : ""}${failure}}`;
}

/** Quotes a fact as JSON. Almost every one may stand there as it is. */
function quote(fact: string): string {
  return PLAIN.test(fact) ? `"${fact}"` : JSON.stringify(clean(fact));
}

/** Formatting dates is expensive, and hundreds of requests share a second. */
const formatSecond = memoizeLast((second: number) => new Date(second * 1_000).toISOString().slice(0, -4));

/** Formats Unix milliseconds as ISO 8601. */
function formatTime(time: number): string {
  const milliseconds = String(time % 1_000).padStart(3, "0");
  return `${formatSecond(Math.floor(time / 1_000))}${milliseconds}Z`;
}

type Painter = (text: string, colour: number) => string;
const paint: Painter = (text, colour) => `\x1b[${colour}m${text}\x1b[0m`;
const keep: Painter = (text) => text;

function formatText(record: RequestRecord, colour: Painter): string {
  const {
    time,
    method,
    selector = "-",
    target = "-",
    status,
    bytesIn,
    bytesOut,
    headMs,
    totalMs,
    caller,
    callerId,
  } = record;
  const causes = record.error ? [record.error, ...readCauses(record)].join(" < ") : "";
  return [
    colour(formatTime(time).slice(11, -1), DIM),
    clean(method),
    colour(String(status), colourOf(status)),
    colour(selector, DIM),
    clean(target),
    `${headMs}/${totalMs} ms`,
    colour(`${bytesIn}/${bytesOut} B`, DIM),
    (clean(caller) || "-") + (callerId ? `(${clean(callerId)})` : ""),
    colour(record.id, DIM),
    causes && colour(causes, RED),
  ].filter(Boolean).join(" ");
}

function colourOf(status: number): number {
  if (status >= 500) return RED;
  if (status >= 400) return YELLOW;
  return status >= 300 || status < 200 ? CYAN : GREEN;
}

/** Makes an outside value safe for a log line. */
export function clean(fact: string): string {
  return fact.slice(0, MAX_LENGTH).replace(CONTROLS, "?");
}

/**
 * The reason, and the codes along a chain of causes, or names if there is no code. Messages are left out, because they may
 * hold whole addresses.
 */
function readCauses({ reason, cause }: Pick<RequestRecord, "reason" | "cause">): string[] {
  const names = reason === undefined ? [] : [clean(reason)];
  for (let link = cause; typeof link === "object" && link !== null && names.length < 5;) {
    const { code, name, cause: next } = link as { code?: unknown; name?: unknown; cause?: unknown };
    // The code of a DOMException is a number, which does not help here.
    names.push(clean(String(typeof code === "string" ? code : name ?? "Error")));
    link = next;
  }
  return names;
}
