/**
 * Terms of the filter about time and size, such as `>100ms` and `<2kb`. Pure functions.
 * @module
 */

import type { Test } from "./filter-test.ts";

const MEASURE = /^([<>]=?)(\d+(?:\.\d+)?)([a-z]*)$/i;
const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, min: 60_000 };
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
