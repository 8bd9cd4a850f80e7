/**
 * Terms of the filter about time and size, such as `>100ms`, `<2kb` and `since:1m`. Pure functions.
 * @module
 */

import { memoizeLast } from "../../core/http/memo.ts";
import type { TrafficEntry } from "../../parts/console/traffic-message.ts";

const MEASURE = /^([<>]=?)(\d+(?:\.\d+)?)([a-z]*)$/i;
const MILLISECONDS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
};
const DAY_MS = 86_400_000;
/** Clocks are switched at a quarter of an hour at most. */
const QUARTER_MS = 900_000;
const AGE = /^(\d+(?:\.\d+)?)([a-z]+)$/i;
const BYTES: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 1_024,
  mib: 1_048_576,
  gib: 1_073_741_824,
};
const COMPARISONS: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  "<": (one, other) => one < other,
  "<=": (one, other) => one <= other,
  ">": (one, other) => one > other,
  ">=": (one, other) => one >= other,
};

/** What a term is asked about. */
export interface Asked {
  entry: TrafficEntry;
  /** What words are looked for in, in lower case. */
  text: string;
  /** The proxy's clock, in Unix milliseconds. */
  now: number;
  /** Keys of requests whose bodies hold a text, as far as that is known. */
  bodies: ReadonlyMap<string, ReadonlySet<string>>;
}

/** True for a request that is meant. */
export type Test = (asked: Asked) => boolean;

/**
 * Reads a limit. A time is compared with how long a request took, or takes so far; a size with the bytes of its answer.
 *
 * @returns what is wrong, if it can't be read
 */
export function readMeasure(text: string): Test | string {
  const [, sign = "", digits, unit = ""] = MEASURE.exec(text) ?? [];
  const name = unit.toLowerCase();
  const compare = COMPARISONS[sign];
  const isTime = Object.hasOwn(MILLISECONDS, name);
  if (!compare || digits === undefined || !(isTime || Object.hasOwn(BYTES, name))) {
    return "is no limit. Write a time or a size with its unit: >100ms, >2s, <2kb, >1mb";
  }
  const limit = Number(digits) * (MILLISECONDS[name] ?? BYTES[name] ?? 1);
  if (!isTime) return ({ entry }) => compare(entry.bytesOut, limit);
  return ({ entry, now }) => compare(entry.isRunning ? now - entry.time : entry.totalMs, limit);
}

/**
 * Reads the value of `since:`, such as `30s` or `2h`: a request that ran within that time until now, or runs still.
 *
 * @returns what is wrong, if it can't be read
 */
export function readSince(value: string): Test | string {
  const [, digits, unit = ""] = AGE.exec(value) ?? [];
  const name = unit.toLowerCase();
  if (digits === undefined || !Object.hasOwn(MILLISECONDS, name)) {
    return "is no time. Write since:30s, since:1m or since:2h";
  }
  const limit = Number(digits) * MILLISECONDS[name]!;
  return ({ entry, now }) => endOf(entry, now) >= now - limit;
}

/**
 * Reads the value of `time:`, a span of the day by this browser's clock, such as `15:04-15:05` or `23:59:30-00:01:00`: a request
 * that ran at some time in it.
 *
 * @returns what is wrong, if it can't be read
 */
export function readSpan(value: string): Test | string {
  const isIn = readTimes(value);
  return typeof isIn === "string" ? isIn : ({ entry, now }) => isIn(entry.time, endOf(entry, now));
}

/** The same, of what ran from one Unix time to another, in milliseconds. */
export function readTimes(value: string): ((start: number, end: number) => boolean) | string {
  const [from, to, ...more] = value.split("-").map(readClock);
  if (from === undefined || to === undefined || more.length > 0) {
    return "is no span of time. Write time:15:04-15:05 or time:15:04:10-15:04:30";
  }
  const unit = value.split(":").length > 3 ? 1_000 : 60_000;
  const length = (to - from + DAY_MS) % DAY_MS || unit;
  // Filters are asked at every tick, for thousands of requests: most are of the same quarter of an hour.
  const offsetOf = memoizeLast((quarter: number) =>
    new Date(quarter * QUARTER_MS).getTimezoneOffset() * 60_000
  );
  return (time, end) => {
    const start = (time - offsetOf(Math.floor(time / QUARTER_MS))) % DAY_MS;
    return [from - DAY_MS, from, from + DAY_MS]
      .some((first) => start < first + length && start + end - time >= first);
  };
}

/** Milliseconds since midnight; `undefined` for what is no time of the day. */
function readClock(text: string): number | undefined {
  const [, hours, minutes, seconds = 0] = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text) ?? [];
  return hours === undefined
    ? undefined
    : ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
}

/** When a request ended, or now if it runs; in Unix milliseconds. */
function endOf({ isRunning, time, totalMs }: TrafficEntry, now: number): number {
  return isRunning ? now : time + totalMs;
}
