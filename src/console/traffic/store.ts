/**
 * The requests that the page knows: thousands that have ended, and those that run. Nothing is drawn here.
 * @module
 */

import type { TrafficEntry, TrafficMessage } from "../../parts/console/traffic-message.ts";
import { matches, parseFilter, type Term, textOf } from "./filter.ts";

/** Maximum number of ended requests. */
export const MAX_ROWS = 5_000;

/** A request as the list shows it. */
export type ListedEntry = TrafficEntry & {
  /** The note of a request that is pinned, which neither *Clear* nor newer ones take away. */
  note?: string | undefined;
};
/** How long a term about the time until now is taken for the same, in milliseconds. */
const JUDGE_MS = 500;

/** One request. It stays the same object when it ends, so a row that is drawn can be drawn anew. */
export interface Row {
  readonly key: string;
  entry: ListedEntry;
  /** What words are looked for in. */
  text: string;
  isShown: boolean;
}

/** All requests, in the order in which they arrived. */
export class TrafficStore {
  #ended: Row[] = [];
  #running = new Map<string, Row>();
  /** Ended requests, and those that were cleared away. */
  #known = new Map<string, Row>();
  #cleared = new Set<string>();
  #clearedAt = 0;
  terms: readonly Term[] = [];
  /** When ended requests were last judged, by the proxy's clock. */
  #judgedAt = 0;
  #bodies = new Map<string, ReadonlySet<string>>();
  /** How far the proxy's clock is ahead, in milliseconds. */
  #ahead = 0;
  /** Requests that have ended without being listed. */
  skipped = 0;
  runningCount = 0;

  /** The proxy's clock. */
  get now(): number {
    return Date.now() + this.#ahead;
  }

  get size(): number {
    return this.#ended.length + this.#running.size;
  }

  /** Takes a message. One that says all of the ring adds what is not here yet. */
  add({ now, entries, skipped, running, runningCount }: TrafficMessage, isRing: boolean): void {
    this.#ahead = now - Date.now();
    // What is to come is never cleared, whatever was kept over a reload.
    this.#clearedAt = Math.min(this.#clearedAt, now);
    this.skipped += skipped;
    for (const entry of entries) if (!this.#isCleared(entry)) this.#end(entry);
    const excess = this.#ended.length - MAX_ROWS;
    if (excess > 0) this.#drop(this.#ended.filter(isFree).slice(0, excess));
    if (!running && !isRing) return;
    this.#run(running ?? []);
    this.runningCount = runningCount ?? this.#running.size;
  }

  /** Takes requests that are no live traffic. */
  addListed(entries: readonly TrafficEntry[]): void {
    for (const entry of entries) this.#end(entry);
  }

  /** Keeps a request in the list, with a note; `undefined` lets it go. */
  pin(key: string, note: string | undefined): void {
    const row = this.#known.get(key) ?? this.#running.get(key);
    if (!row) return;
    write(row, { ...row.entry, note });
    this.#judge(row);
  }

  filter(text: string): void {
    this.terms = parseFilter(text);
    this.#judgeAll();
  }

  find(filter: string): Row[] {
    const terms = parseFilter(filter);
    const asked = { now: this.now, bodies: this.#bodies };
    return [...this.#ended, ...this.#running.values()].filter((row) => matches(terms, { ...row, ...asked }));
  }

  /** Learns in which requests a body holds a text. */
  learnBodies(text: string, keys: Iterable<string>): void {
    this.#bodies.set(text, new Set(keys));
    this.#judgeAll();
  }

  /** True while it is not known yet in which requests a body holds a text. */
  get isSearching(): boolean {
    return this.terms.some(({ body }) => body !== undefined && !this.#bodies.has(body));
  }

  /**
   * Forgets all that have ended. What runs stays.
   *
   * @param at by the proxy's clock, in Unix milliseconds
   */
  clear(at: number = this.now): void {
    this.#clearedAt = at;
    this.#cleared = new Set(this.#known.keys());
    this.#drop(this.#ended.filter(isFree));
    this.skipped = 0;
  }

  /** What the filter lets through, newest first. */
  shown(): Row[] {
    const isTimed = this.terms.some((term) => term.isTimed);
    if (isTimed && this.now - this.#judgedAt >= JUDGE_MS) this.#judgeAll();
    // Whether a running request is slow changes by itself.
    for (const row of this.#running.values()) this.#judge(row);
    const rows = this.#ended.filter(({ isShown }) => isShown);
    for (const row of this.#running.values()) if (row.isShown) insert(rows, row);
    return rows.reverse();
  }

  #end(entry: TrafficEntry): void {
    const { key } = entry;
    if (this.#known.has(key)) return;
    const row = this.#running.get(key) ?? makeRow(entry);
    this.#running.delete(key);
    write(row, { note: row.entry.note, ...entry });
    this.#judge(row);
    this.#known.set(key, row);
    insert(this.#ended, row);
  }

  #drop(rows: readonly Row[]): void {
    const left = new Set(rows);
    this.#ended = this.#ended.filter((row) => !left.has(row));
    for (const { key } of rows) this.#known.delete(key);
  }

  #isCleared({ key, time, totalMs }: TrafficEntry): boolean {
    return this.#cleared.has(key) || time + totalMs <= this.#clearedAt;
  }

  #run(entries: readonly TrafficEntry[]): void {
    const before = this.#running;
    const left = entries.filter(({ key }) => !this.#known.has(key) && !this.#cleared.has(key));
    this.#running = new Map(left.map((entry) => {
      const row = before.get(entry.key) ?? makeRow(entry);
      write(row, { note: row.entry.note, ...entry });
      return [entry.key, row];
    }));
  }

  #judgeAll(): void {
    this.#judgedAt = this.now;
    for (const row of this.#ended) this.#judge(row);
  }

  #judge(row: Row): void {
    const { entry, text } = row;
    row.isShown = matches(this.terms, { entry, text, now: this.now, bodies: this.#bodies });
  }
}

function makeRow(entry: TrafficEntry): Row {
  return { key: entry.key, entry, text: "", isShown: true };
}

function write(row: Row, entry: ListedEntry): void {
  const { note = "" } = entry;
  Object.assign(row, { entry, text: `${textOf(entry)} ${note.toLowerCase()}` });
}

/** True for a row that is not pinned. */
function isFree({ entry }: Row): boolean {
  return entry.note === undefined;
}

/** Puts a row where its time is; most belong at the end. */
function insert(rows: Row[], row: Row): void {
  let place = rows.length;
  while (place > 0 && rows[place - 1]!.entry.time > row.entry.time) place -= 1;
  rows.splice(place, 0, row);
}
