/**
 * Which rows the list shows, which one the keyboard is on, and the span of their bars: pure, nothing is drawn here.
 * @module
 */

import { KEYS } from "../page/page-keys.ts";
import type { Row } from "./store.ts";
import type { TrafficEntry } from "../../parts/console/traffic-message.ts";

/** The rows of the list, newest first. While it is held, none comes or goes; new ones are counted. */
export class ListModel {
  rows: readonly Row[] = [];
  /** Rows that would have come. */
  fresh = 0;
  /** The row that the keyboard is on, and the one whose details are shown. */
  current: string | undefined;
  picked: string | undefined;
  #keys = new Set<string>();

  update(rows: readonly Row[], isHeld: boolean): void {
    if (isHeld && this.rows.length > 0) {
      this.fresh = rows.reduce((count, { key }) => count + Number(!this.#keys.has(key)), 0);
      return;
    }
    this.rows = rows;
    this.fresh = 0;
    this.#keys = new Set(rows.map(({ key }) => key));
  }

  /** The place of a row; -1 if it is not in the list. */
  indexOf(key: string | undefined): number {
    return key === undefined ? -1 : this.rows.findIndex((row) => row.key === key);
  }

  /**
   * Moves by a key of the keyboard.
   *
   * @param page rows that fit into the list
   * @returns the row that it is on now; `undefined` if the key moves nothing
   */
  move(key: string, page: number): Row | undefined {
    const index = this.indexOf(this.current);
    const last = this.rows.length - 1;
    const places: Record<string, number> = {
      [KEYS.down.key]: index + 1,
      [KEYS.up.key]: index < 0 ? 0 : index - 1,
      [KEYS.pageDown.key]: Math.max(0, index) + page,
      [KEYS.pageUp.key]: index - page,
      [KEYS.first.key]: 0,
      [KEYS.last.key]: last,
    };
    const place = Object.hasOwn(places, key) ? places[key] : undefined;
    if (place === undefined || last < 0) return undefined;
    const row = this.rows[Math.min(last, Math.max(0, place))];
    this.current = row?.key;
    return row;
  }
}

/** The rows that are drawn: those that are seen, and a few beside them. */
export function visibleRange(
  scrolled: number,
  height: number,
  rowHeight: number,
  count: number,
): [start: number, end: number] {
  const beside = 4;
  const start = Math.min(Math.max(0, Math.floor(scrolled / rowHeight) - beside), count);
  return [start, Math.min(count, Math.ceil((scrolled + height) / rowHeight) + beside)];
}

/** The bar that is not cut is this one, from the shortest to the longest: a few long ones leave room to the others. */
const WHOLE = .8;

/** From the first arrival, in Unix milliseconds, to the end of most requests. Longer bars are cut at the edge. */
export function spanOf(entries: readonly Pick<TrafficEntry, "time" | "totalMs">[]) {
  if (entries.length === 0) return { from: 0, ms: 1 };
  const times = entries.map(({ time }) => time);
  const lengths = entries.map(({ totalMs }) => totalMs).sort((one, other) => one - other);
  const from = Math.min(...times);
  const usual = lengths[Math.floor((lengths.length - 1) * WHOLE)] ?? 0;
  return { from, ms: Math.max(1, Math.max(...times) - from + usual) };
}
