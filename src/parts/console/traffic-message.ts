/**
 * The messages of live traffic, and how the record of a request becomes an entry of one.
 * @module
 */

import type { Address } from "../../core/address/address.ts";
import type { Aim, Recording, RequestRecord } from "../../core/exchange/record.ts";
import { maskPath } from "../../core/address/mask-path.ts";

/** The most characters of a method that are shown. */
export const MAX_METHOD_LENGTH = 32;
/** The most characters of a setting that is shown. */
export const MAX_SETTING_LENGTH = 300;
const MAX_QUERY_LENGTH = 300;

/** One request, as the console shows it. It never contains a header, a body or the address of a caller. */
export interface TrafficEntry {
  /** The id of the request: that of its log line and of its capture. */
  key: string;
  /** When it arrived, in Unix milliseconds. */
  time: number;
  /** As sent to the target. */
  method: string;
  selector?: string;
  /** Host and port of the target. */
  target?: string;
  /** Address of the target without its query; secrets in its path are masked. */
  address?: string;
  /** The query of a captured request, with secrets masked (rule 16.9); cut after 300 characters. */
  query?: string;
  /** True if `address` is incomplete: the query left out, a secret masked, or the end cut off. */
  isPartial?: true;
  /** The id of the caller's own token. */
  callerId?: string;
  /** 0 until the head of the response is known. */
  status: number;
  /** Bytes of the bodies; while the request runs, those so far. */
  bytesIn: number;
  bytesOut: number;
  /** Milliseconds until the head of the response; 0 before. */
  headMs: number;
  /** Milliseconds until the end; 0 while it runs. */
  totalMs: number;
  error?: string;
  /** The setting that would have allowed it. */
  setting?: string;
  /** What it asks for: a method of JSON-RPC or MCP, or an operation of GraphQL; absent if its body is not captured. */
  operation?: string;
  /** True while capture keeps at least its head. */
  isCaptured?: true;
  /** True while it runs. */
  isRunning?: true;
}

/**
 * What the server counted in one column of the charts. A request counts when it ends. The median is that of a
 * histogram, within 5 %. Times are those until the head of the response.
 */
export type CountColumn = [
  /** When the column starts, in Unix seconds. */
  startSecond: number,
  count: number,
  failed: number,
  /** Bytes of responses. */
  bytes: number,
  medianMs: number,
  slowestMs: number,
];

/** One message of the event stream: the event `ring` holds all that is kept, later messages what is new. */
export interface TrafficMessage {
  /** The proxy's clock, in Unix milliseconds. */
  now: number;
  /** Requests that have ended, oldest first. */
  entries: TrafficEntry[];
  /** Number of ended requests that are not listed, because they were too many for one message. */
  skipped: number;
  /** All running requests, oldest first; absent if nothing has changed. */
  running?: TrafficEntry[];
  /** Number of running requests, if they are too many to be listed. */
  runningCount?: number;
  /** Columns that have changed. */
  counts?: CountColumn[];
}

/** A record, with what is known of the capture of its request. */
export type TrafficRecord = RequestRecord & { readonly capture?: Pick<Recording, "operation" | "query"> };

/** The numbers of a record that are shown. */
export const NUMBERS = ["time", "status", "bytesIn", "bytesOut", "headMs", "totalMs"] as const;
/** The texts of a record that are shown. */
export const TEXTS = ["id", "method", "selector", "target", "callerId", "error", "setting"] as const;

/** The parts of a record that are shown. */
export type Summarized = Pick<
  TrafficRecord,
  (typeof NUMBERS)[number] | (typeof TEXTS)[number] | "aim" | "capture"
>;

/** The outgoing request for a record. A query becomes a bare `?`, so no record ever contains one. */
export function aimAt(method: string, { origin, path }: Address): Aim {
  const end = path.indexOf("?");
  return { method, origin, path: end < 0 ? path : path.slice(0, end + 1) };
}

/** True for a status of 500 or more, and for a response that broke off while the caller was still connected. */
export function isFailure({ status, error }: Pick<TrafficEntry, "status" | "error">): boolean {
  return status >= 500 || (status < 400 && error !== undefined && error !== "caller_gone");
}

/** The entry of a record. */
export function summarize(record: Summarized): TrafficEntry {
  const { id, time, selector, target, status, bytesIn, bytesOut, headMs, totalMs, error, aim, callerId } =
    record;
  const method = (aim?.method ?? record.method).slice(0, MAX_METHOD_LENGTH);
  const entry: TrafficEntry = { key: id, time, method, status, bytesIn, bytesOut, headMs, totalMs };
  if (selector) entry.selector = selector;
  if (target) entry.target = target;
  if (callerId) entry.callerId = callerId;
  if (error) entry.error = error;
  // The caller chooses the names in it, so its length is limited.
  if (record.setting && record.setting.length <= MAX_SETTING_LENGTH) entry.setting = record.setting;
  if (record.capture) {
    entry.isCaptured = true;
    const { operation, query } = record.capture;
    if (operation !== undefined) entry.operation = operation;
    if (query !== undefined) entry.query = query.slice(0, MAX_QUERY_LENGTH);
  }
  if (!aim) return entry;
  const address = aim.origin.origin + aim.path;
  entry.address = maskAddress(address);
  if (entry.address !== address) entry.isPartial = true;
  return entry;
}

/** The most characters of an address. */
export const MOST_ADDRESS = 1_024;
/** A longer path is read up to its last slash within so many characters: encoded ones take a hundred times what others take. */
const MOST_READ = 2 * MOST_ADDRESS;

/**
 * How live traffic shows an address: removes its query, replaces what looks like a secret in its path by `***`, and cuts a long result. `https://a.test/bot1:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw?y=1` → `https://a.test/bot1:***`.
 *
 * @param address absolute, as sent to the target
 */
export function maskAddress(address: string): string {
  const [plain = ""] = address.split(/[?#]/, 1);
  const start = plain.indexOf("/", plain.indexOf("://") + 3);
  if (start < 0) return plain.slice(0, MOST_ADDRESS);
  const isLong = plain.length > start + MOST_READ && plain.includes("%", start);
  const end = isLong ? plain.lastIndexOf("/", start + MOST_READ) + 1 : plain.length;
  return (plain.slice(0, start) + maskPath(plain.slice(start, end))).slice(0, MOST_ADDRESS);
}
