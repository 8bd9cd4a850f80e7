/**
 * The span of time that the bars of the list are drawn over: pure, nothing is drawn here.
 * @module
 */

import type { TrafficEntry } from "../../parts/console/traffic-message.ts";

/** A span of time. */
export interface TimeSpan {
  /** Unix milliseconds. */
  from: number;
  ms: number;
}

/** The bar that is not cut is this one, from the shortest to the longest: a few long ones leave room to the others. */
const WHOLE = .8;

/** From the first arrival to the end of most requests. Longer bars are cut at the edge. */
export function spanOf(entries: readonly Pick<TrafficEntry, "time" | "totalMs">[]): TimeSpan {
  if (entries.length === 0) return { from: 0, ms: 1 };
  const times = entries.map(({ time }) => time);
  const lengths = entries.map(({ totalMs }) => totalMs).sort((one, other) => one - other);
  const from = Math.min(...times);
  const usual = lengths[Math.floor((lengths.length - 1) * WHOLE)] ?? 0;
  return { from, ms: Math.max(1, Math.max(...times) - from + usual) };
}
