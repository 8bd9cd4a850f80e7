/**
 * The columns of the list, and its order by one of them: pure, nothing is drawn here.
 * @module
 */

import type { TrafficEntry } from "../../parts/console/traffic-message.ts";
import { splitAddress } from "./row-route.ts";
import type { Row } from "./store.ts";

/** A column. Those without `read` cannot be sorted by. */
export interface ListColumn {
  /** Its class, and its name. */
  name: string;
  title: string;
  /** True where the first click sorts from A on. */
  isText?: true;
  /** What rows are compared by: a number of the request, or a text. */
  read?(entry: TrafficEntry, now: number): number | string;
}

/** All columns, in their order. */
export const LIST_COLUMNS: readonly ListColumn[] = [
  { name: "time", title: "Time", read: ({ time }) => time },
  { name: "method", title: "Method", isText: true, read: ({ method }) => method },
  { name: "code", title: "Status", read: ({ status }) => status },
  {
    name: "target",
    title: "Path",
    isText: true,
    read: ({ address, target }) => splitAddress(address, target).path,
  },
  { name: "selector", title: "Selector", isText: true, read: ({ selector = "" }) => selector },
  { name: "number bytes", title: "Size", read: ({ bytesOut }) => bytesOut },
  { name: "number took", title: "Duration", read: lasted },
  { name: "timeline", title: "Timeline" },
];

/** The order of the list. */
export interface Sort {
  column: string;
  isUp: boolean;
}

/** The newest first, as they come. */
export const NEWEST: Sort = { column: "time", isUp: false };

/** The order after a click on a column: the largest first, or texts from A on; then the other way round. */
export function turnSort(sort: Sort, column: string, isText = false): Sort {
  return { column, isUp: sort.column === column ? !sort.isUp : isText };
}

/** The rows, which are given newest first, in this order. */
export function sortRows(rows: Row[], { column, isUp }: Sort, now: number): Row[] {
  if (column === NEWEST.column) return isUp ? rows.reverse() : rows;
  const read = LIST_COLUMNS.find(({ name }) => name === column)?.read;
  return read ? sortBy(rows, isUp, ({ entry }) => read(entry, now)) : rows;
}

/** All in the order of what is read of each; those that are equal stay as they are. */
export function sortBy<T>(all: readonly T[], isUp: boolean, read: (one: T) => number | string): T[] {
  const sign = isUp ? 1 : -1;
  return all.map((one) => ({ one, value: read(one) }))
    .sort((a, b) => a.value === b.value ? 0 : a.value < b.value ? -sign : sign)
    .map(({ one }) => one);
}

/** Milliseconds that a request took, or takes so far. */
export function lasted({ isRunning, time, totalMs }: TrafficEntry, now: number): number {
  return isRunning ? Math.max(0, now - time) : totalMs;
}
