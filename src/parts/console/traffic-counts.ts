/**
 * Counts all requests of the last two minutes in columns, for the charts of live traffic. Keeps no requests.
 * @module
 */

import type { CountColumn } from "./traffic-message.ts";

/** Number of columns. */
export const COLUMNS = 60;
/** Seconds that a column spans. */
export const COLUMN_SECONDS = 2;
const COLUMN_MS = COLUMN_SECONDS * 1_000;

/** Each bucket ends at 2^(1/8) times its start, so that a median is off by less than 5 %. */
const BUCKETS_PER_OCTAVE = 8;
/** Number of buckets, up to 100 seconds; the last one also counts longer durations. */
const BUCKETS = 161;
/** End of the first bucket, in milliseconds: records are no more precise. */
const FIRST_MS = 0.1;

/** A column as plain data; `times` are pairs of a bucket's number and its count. */
export interface PlainColumn {
  /** The number of the column since 1970. */
  index: number;
  count: number;
  failed: number;
  bytes: number;
  slowestMs: number;
  times: number[];
}

class Column {
  index = -1;
  count = 0;
  failed = 0;
  bytes = 0;
  slowestMs = 0;
  readonly times: Uint32Array<ArrayBuffer> = new Uint32Array(BUCKETS);

  /** Clears the counters, to be used for another column. */
  reset(index: number): void {
    this.index = index;
    this.count =
      this.failed =
      this.bytes =
      this.slowestMs =
        0;
    this.times.fill(0);
  }
}

/** The counters of one process: at most 60 columns of 700 bytes. */
export class TrafficCounts {
  readonly #columns: Column[] = [];

  /** Counts one request. */
  add(endMs: number, isFailed: boolean, bytes: number, headMs: number): void {
    const column = this.#columnAt(columnOf(endMs));
    column.count += 1;
    if (isFailed) column.failed += 1;
    column.bytes += bytes;
    if (headMs > column.slowestMs) column.slowestMs = headMs;
    column.times[bucketOf(headMs)]! += 1;
  }

  /** Replaces a column by the newer counts of another process. */
  put({ index, count, failed, bytes, slowestMs, times }: PlainColumn): void {
    const column = this.#columnAt(index);
    column.reset(index);
    Object.assign(column, { count, failed, bytes, slowestMs });
    for (let at = 0; at < times.length; at += 2) column.times[times[at]!] = times[at + 1]!;
  }

  /** Number of requests in a column. */
  countOf(index: number): number {
    return this.#find(index)?.count ?? 0;
  }

  /** A column as plain data; `undefined` if it has no request. */
  read(index: number): PlainColumn | undefined {
    const column = this.#find(index);
    if (!column) return undefined;
    const { count, failed, bytes, slowestMs } = column;
    const times = [...column.times].flatMap((many, bucket) => (many > 0 ? [bucket, many] : []));
    return { index, count, failed, bytes, slowestMs, times };
  }

  #find(index: number): Column | undefined {
    const column = this.#columns[index % COLUMNS];
    return column?.index === index ? column : undefined;
  }

  #columnAt(index: number): Column {
    const column = this.#columns[index % COLUMNS] ??= new Column();
    // Columns are also reset if the clock was set back.
    if (column.index !== index) column.reset(index);
    return column;
  }
}

/** The number of the column that holds a time in Unix milliseconds. */
export function columnOf(time: number): number {
  return Math.floor(time / COLUMN_MS);
}

/** The numbers of the columns that the charts show now, oldest first. */
export function currentColumns(now: number): number[] {
  const last = columnOf(now);
  return Array.from({ length: COLUMNS }, (_, at) => last - COLUMNS + 1 + at);
}

/** Adds up one column of several processes. */
export function sumColumn(sources: readonly TrafficCounts[], index: number): CountColumn {
  const columns = sources.flatMap((source) => source.read(index) ?? []);
  const sum = (read: (column: PlainColumn) => number) =>
    columns.reduce((total, column) => total + read(column), 0);
  const slowestMs = Math.max(0, ...columns.map((column) => column.slowestMs));
  return [
    index * COLUMN_SECONDS,
    sum(({ count }) => count),
    sum(({ failed }) => failed),
    sum(({ bytes }) => bytes),
    Math.min(findMedian(columns), slowestMs),
    slowestMs,
  ];
}

function findMedian(columns: readonly PlainColumn[]): number {
  const buckets = new Uint32Array(BUCKETS);
  for (const { times } of columns) {
    for (let at = 0; at < times.length; at += 2) buckets[times[at]!]! += times[at + 1]!;
  }
  const half = buckets.reduce((total, many) => total + many, 0) / 2;
  let before = 0;
  return middleOf(buckets.findIndex((many) => (before += many) > half));
}

function bucketOf(ms: number): number {
  if (!(ms > FIRST_MS)) return 0;
  return Math.min(BUCKETS - 1, Math.floor(Math.log2(ms / FIRST_MS) * BUCKETS_PER_OCTAVE) + 1);
}

/** The middle of a bucket in milliseconds, rounded to a tenth. */
function middleOf(bucket: number): number {
  return Math.round(FIRST_MS * 2 ** ((bucket - 0.5) / BUCKETS_PER_OCTAVE) * 10) / 10;
}
