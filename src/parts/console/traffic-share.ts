/**
 * Live traffic of several processes: each tells the others what has ended and what it counted, and what runs while
 * somebody watches.
 * @module
 */

import { COLUMNS, currentColumns, type PlainColumn, TrafficCounts } from "./traffic-counts.ts";
import { summarize, type TrafficEntry, type TrafficRecord } from "./traffic-message.ts";
import type { RunningList } from "./traffic-running.ts";

/** How long requests are gathered before others are told, in milliseconds. */
const GATHER_MS = 100;
/** Maximum number of requests told at once; the newest are. */
const MAX_ENTRIES = 200;
/** How often the running requests are looked at while another process watches, in milliseconds. */
const RUNNING_MS = 250;
/** How often a process says again that it is watched, or what runs in it, in milliseconds. */
const AGAIN_MS = 1_000;
/** After this silence a process is neither watched nor running anything: it may have died. In milliseconds. */
const SILENCE_MS = 3_000;

/** What one process tells the others: plain data. */
export interface TrafficNews {
  /** The process that tells it. */
  from: string;
  /** Requests that have ended, oldest first, and the number of those left out. */
  entries?: TrafficEntry[];
  skipped?: number;
  /** Columns that have changed, whole. */
  counts?: PlainColumn[];
  running?: RunningList;
  /** True if somebody watches there. */
  isWatched?: true;
  /** True if it has just started, and asks for what others counted. */
  isNew?: true;
}

/** Takes a receiver for the news of other processes, and returns a sender for those of this one. */
export type ShareTraffic = (
  take: (news: readonly TrafficNews[]) => void,
) => (news: readonly TrafficNews[]) => void;

/** What this process lends, and where it puts what others say. */
export interface Sharing {
  /** What this process has counted. */
  counts: TrafficCounts;
  /** What runs in it. */
  listRunning(now: number): RunningList;
  /** Starts and stops keeping what runs in it. */
  keepRunning(isWanted: boolean): void;
  /** Takes requests that have ended in another process, and the number of those left out. */
  take(entries: readonly TrafficEntry[], skipped: number): void;
}

interface Other {
  counts: TrafficCounts;
  running: RunningList;
  /** When it told its running requests, and when it was watched. */
  runningAt: number;
  watchedAt: number;
}

/** One process among others. */
export class TrafficShare {
  readonly #id = crypto.randomUUID();
  readonly #sharing: Sharing;
  readonly #send: (news: readonly TrafficNews[]) => void;
  readonly #others = new Map<string, Other>();
  #gathered: TrafficRecord[] = [];
  #skipped = 0;
  /** Columns that others do not know yet. */
  readonly #changed = new Set<number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #runningTimer: ReturnType<typeof setInterval> | undefined;
  #told = "";
  #toldAt = 0;
  #watchedAt = 0;

  constructor(share: ShareTraffic, sharing: Sharing) {
    this.#sharing = sharing;
    this.#send = share((news) => news.forEach((one) => this.#take(one)));
    this.#tell({ isNew: true });
  }

  /** What other processes have counted. */
  get counts(): TrafficCounts[] {
    return [...this.#others.values()].map(({ counts }) => counts);
  }

  /** What runs in other processes. */
  running(now: number): RunningList[] {
    return [...this.#others.values()]
      .filter(({ runningAt }) => now - runningAt < SILENCE_MS)
      .map(({ running }) => running);
  }

  /** Tells others soon that this request has ended. */
  note(record: TrafficRecord, column: number): void {
    this.#changed.add(column);
    if (this.#gathered.push(record) > MAX_ENTRIES) {
      this.#gathered.shift();
      this.#skipped += 1;
    }
    this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS);
  }

  /** Lets others know that somebody watches here; to be called often. */
  keepWatched(now: number): void {
    if (now - this.#watchedAt < AGAIN_MS) return;
    this.#watchedAt = now;
    this.#tell({ isWatched: true });
  }

  #tell(news: Omit<TrafficNews, "from">): void {
    this.#send([{ from: this.#id, ...news }]);
  }

  #flush(): void {
    this.#timer = undefined;
    const entries = this.#gathered.map(summarize);
    const skipped = this.#skipped;
    const counts = [...this.#changed].flatMap((index) => this.#sharing.counts.read(index) ?? []);
    this.#gathered = [];
    this.#skipped = 0;
    this.#changed.clear();
    this.#tell({ entries, skipped, counts });
  }

  #take({ from, entries = [], skipped = 0, counts = [], running, isWatched, isNew }: TrafficNews): void {
    if (from === this.#id) return;
    const now = Date.now();
    this.#forget(now);
    const other = this.#otherOf(from);
    for (const column of counts) other.counts.put(column);
    if (entries.length + skipped > 0) this.#sharing.take(entries, skipped);
    if (running) Object.assign(other, { running, runningAt: now });
    if (isNew) this.#tellAll(now);
    if (isWatched) {
      other.watchedAt = now;
      this.#sharing.keepRunning(true);
      this.#runningTimer ??= setInterval(() => this.#tellRunning(), RUNNING_MS);
    }
  }

  /** Tells a new process what was counted here. */
  #tellAll(now: number): void {
    const counts = currentColumns(now).flatMap((index) => this.#sharing.counts.read(index) ?? []);
    if (counts.length > 0) this.#tell({ counts });
  }

  #tellRunning(): void {
    const now = Date.now();
    if (![...this.#others.values()].some(({ watchedAt }) => now - watchedAt < SILENCE_MS)) {
      clearInterval(this.#runningTimer);
      this.#runningTimer = undefined;
      this.#told = "";
      return this.#sharing.keepRunning(false);
    }
    const running = this.#sharing.listRunning(now);
    const text = JSON.stringify(running);
    const isKept = running.count === 0 || now - this.#toldAt < AGAIN_MS;
    if (text === this.#told && isKept) return;
    this.#told = text;
    this.#toldAt = now;
    this.#tell({ running });
  }

  #otherOf(id: string): Other {
    const known = this.#others.get(id) ??
      { counts: new TrafficCounts(), running: { entries: [], count: 0 }, runningAt: 0, watchedAt: 0 };
    this.#others.set(id, known);
    return known;
  }

  /** Drops processes that have said nothing for as long as the charts go back. */
  #forget(now: number): void {
    if (this.#others.size < COLUMNS) return;
    const columns = currentColumns(now);
    for (const [id, { counts, runningAt }] of this.#others) {
      const isSilent = columns.every((index) => counts.countOf(index) === 0);
      if (isSilent && now - runningAt >= SILENCE_MS) this.#others.delete(id);
    }
  }
}
