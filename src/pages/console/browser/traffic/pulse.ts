/**
 * Computes the figures of the charts from single requests: pure functions.
 * @module
 */

import type { TrafficEntry } from "../../traffic.ts";

/** The time span of the charts, in milliseconds. */
export const SPAN_MS = 120_000;
/** The time span of one column, in milliseconds. */
export const STEP_MS = 2_000;

/** The part of a request that the charts need. */
export type Beat = Pick<TrafficEntry, "time" | "status" | "headMs" | "bytesOut">;

/** One column: number of requests, number of failures, and times until the response headers. */
export interface Column {
  count: number;
  failed: number;
  /** Median and slowest time, in milliseconds; `undefined` without requests. */
  median?: number;
  slowest?: number;
}

/** The figures above the charts. */
export interface Figures {
  count: number;
  failed: number;
  bytes: number;
  median?: number;
  /** The 95th percentile. */
  slow?: number;
}

/** Sorts requests into columns, oldest first. The last one contains `now`. */
export function countColumns(beats: readonly Beat[], now: number): Column[] {
  const columns = Array.from({ length: SPAN_MS / STEP_MS }, (): Beat[] => []);
  const last = Math.floor(now / STEP_MS);
  for (const beat of beats) {
    columns.at(columns.length - 1 - last + Math.floor(beat.time / STEP_MS))?.push(beat);
  }
  return columns.map((column) => {
    const times = column.map(({ headMs }) => headMs).sort((one, other) => one - other);
    return {
      count: column.length,
      failed: column.filter(({ status }) => status >= 500).length,
      ...(times.length > 0 && { median: pick(times, 0.5), slowest: times.at(-1) }),
    };
  });
}

/** Counts the requests of the whole span. */
export function countFigures(beats: readonly Beat[]): Figures {
  const times = beats.map(({ headMs }) => headMs).sort((one, other) => one - other);
  return {
    count: beats.length,
    failed: beats.filter(({ status }) => status >= 500).length,
    bytes: beats.reduce((sum, { bytesOut }) => sum + bytesOut, 0),
    ...(times.length > 0 && { median: pick(times, 0.5), slow: pick(times, 0.95) }),
  };
}

/** Drops what the charts no longer cover. */
export function dropOld(beats: readonly Beat[], now: number): Beat[] {
  const oldest = (Math.floor(now / STEP_MS) + 1) * STEP_MS - SPAN_MS;
  return beats.filter(({ time }) => time >= oldest && time < oldest + SPAN_MS);
}

/** The value at this share of a sorted list. */
function pick(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
