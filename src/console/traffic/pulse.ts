/**
 * Computes what the charts show, from the server's counters or from single requests: pure functions.
 * @module
 */

import { COLUMN_SECONDS, COLUMNS, currentColumns } from "../../parts/console/traffic-counts.ts";
import { type CountColumn, isFailure, type TrafficEntry } from "../../parts/console/traffic-message.ts";

/** The minutes that the charts show. */
export const MINUTES = COLUMNS * COLUMN_SECONDS / 60;

/** One column of the charts. Times are those until the head of the answer, in milliseconds. */
export interface Column {
  startSecond: number;
  count: number;
  failed: number;
  bytes: number;
  /** `undefined` without requests. */
  median?: number;
  slowest?: number;
}

/** The figures of the charts. */
export interface Figures {
  /** Requests per second and their median time in the last full column: what is now. */
  rate: number;
  median?: number;
  /** Of all columns. */
  count: number;
  failed: number;
  bytes: number;
  /** The highest rate, and the slowest time. */
  peak: number;
  slowest?: number;
}

/** The columns that end now, oldest first, each empty where nothing was counted. */
export function layColumns(counts: ReadonlyMap<number, CountColumn>, now: number): Column[] {
  return starts(now).map((startSecond) => {
    const [, count = 0, failed = 0, bytes = 0, median = 0, slowest = 0] = counts.get(startSecond) ?? [];
    return { startSecond, count, failed, bytes, ...(count > 0 && { median, slowest }) };
  });
}

/** Counts requests that have ended into the columns that end now. */
export function countEntries(entries: Iterable<TrafficEntry>, now: number): Column[] {
  const columns = starts(now).map((startSecond) => ({ startSecond, entries: [] as TrafficEntry[] }));
  const first = columns[0]!.startSecond;
  for (const entry of entries) {
    const second = (entry.time + entry.totalMs) / 1_000;
    columns[Math.floor((second - first) / COLUMN_SECONDS)]?.entries.push(entry);
  }
  return columns.map(({ startSecond, entries }) => {
    const times = entries.map(({ headMs }) => headMs).sort((one, other) => one - other);
    const [median, slowest] = [times[Math.floor(times.length / 2)], times.at(-1)];
    return {
      startSecond,
      count: entries.length,
      failed: entries.filter(isFailure).length,
      bytes: entries.reduce((sum, { bytesOut }) => sum + bytesOut, 0),
      ...(median !== undefined && slowest !== undefined && { median, slowest }),
    };
  });
}

/** The figures above the charts. The last column is still being filled, so it counts in no rate. */
export function readFigures(columns: readonly Column[]): Figures {
  const sum = (read: (column: Column) => number) =>
    columns.reduce((total, column) => total + read(column), 0);
  const last = columns.at(-2);
  const slowest = Math.max(-1, ...columns.map((column) => column.slowest ?? -1));
  return {
    rate: (last?.count ?? 0) / COLUMN_SECONDS,
    ...(last?.median !== undefined && { median: last.median }),
    count: sum(({ count }) => count),
    failed: sum(({ failed }) => failed),
    bytes: sum(({ bytes }) => bytes),
    peak: Math.max(0, ...columns.map(({ count }) => count)) / COLUMN_SECONDS,
    ...(slowest >= 0 && { slowest }),
  };
}

/** Drops counters that are older than the charts. */
export function dropOld(counts: Map<number, CountColumn>, now: number): void {
  const [first = 0] = starts(now);
  for (const second of counts.keys()) if (second < first) counts.delete(second);
}

function starts(now: number): number[] {
  return currentColumns(now).map((index) => index * COLUMN_SECONDS);
}
