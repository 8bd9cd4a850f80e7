/**
 * Requests by host and route, with their figures: pure functions.
 * @module
 */

import { isFailure, type TrafficEntry } from "../../parts/console/traffic-message.ts";
import type { Sort } from "./columns.ts";
import { routeOf } from "./row-route.ts";

/** All requests of a route. */
export interface Group {
  /** Host and path, as `routeOf` has them. */
  route: string;
  count: number;
  /** How many have a status of 400 or more, or broke off. */
  errors: number;
  /** Milliseconds within which half of those that have ended took, and 19 of 20; `undefined` if none has. */
  p50: number | undefined;
  p95: number | undefined;
}

/** The columns of the groups, by the member that each shows. */
export const GROUP_COLUMNS = ["route", "count", "errors", "p50", "p95"] as const;

/** Groups requests, in the order in which their routes come. */
export function groupEntries(entries: Iterable<TrafficEntry>): Group[] {
  const groups = new Map<string, TrafficEntry[]>();
  for (const entry of entries) {
    const route = routeOf(entry);
    const group = groups.get(route);
    if (group) group.push(entry);
    else groups.set(route, [entry]);
  }
  return [...groups].map(([route, all]) => {
    const times = all.filter(({ isRunning }) => !isRunning).map(({ totalMs }) => totalMs)
      .sort((one, other) => one - other);
    return {
      route,
      count: all.length,
      errors: all.filter((entry) => entry.status >= 400 || isFailure(entry)).length,
      p50: percentile(times, .5),
      p95: percentile(times, .95),
    };
  });
}

/** The groups in this order; those that are equal stay as they are. */
export function sortGroups(groups: readonly Group[], { column, isUp }: Sort): Group[] {
  const sign = isUp ? 1 : -1;
  const read = (group: Group) => group[column as keyof Group] ?? -1;
  return [...groups].sort((one, other) => {
    const [a, b] = [read(one), read(other)];
    return a === b ? 0 : a < b ? -sign : sign;
  });
}

/** The smallest value that a share of the sorted values does not exceed (nearest rank). */
function percentile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}
