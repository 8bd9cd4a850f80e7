/**
 * Live traffic of several processes: each sends the others its ended requests and its counts and, while somebody watches,
 * its running requests.
 * @module
 */

import { COLUMNS, currentColumns, type PlainColumn, TrafficCounts } from "./traffic-counts.ts";
import { summarize, type TrafficEntry, type TrafficRecord } from "./traffic-message.ts";
import type { RunningList } from "./traffic-requests.ts";

/** How long requests are gathered before they are sent to others, in milliseconds. */
const GATHER_MS = 100;
/** Maximum number of requests sent at once; the newest are kept. */
const MAX_ENTRIES = 200;
/** How often the running requests are checked while another process is watched, in milliseconds. */
const RUNNING_MS = 250;
/** How often a process repeats that it is watched, or which requests run in it, in milliseconds. */
const AGAIN_MS = 1_000;
/** After this silence in milliseconds, a process counts as unwatched and without running requests: it may have died. */
const SILENCE_MS = 3_000;

/** A message from one process to the others: plain data. */
export interface TrafficNews {
  /** The process that sends it. */
  from: string;
  /** Requests that have ended, oldest first, and the number of those left out. */
  entries?: TrafficEntry[];
  skipped?: number;
  /** Columns that have changed, whole. */
  counts?: PlainColumn[];
  running?: RunningList;
  /** True if somebody watches that process. */
  isWatched?: true;
  /** Whether somebody watches that process who switches capture on. */
  isCapturing?: boolean;
  /** True if the process has just started, and asks for the counts of the others. */
  isNew?: true;
}

/** Takes a receiver for the news of other processes, and returns a sender for those of this one. */
export type ShareTraffic = (
  take: (news: readonly TrafficNews[]) => void,
) => (news: readonly TrafficNews[]) => void;

/** What this process shares with others, and what receives their news. */
export interface Sharing {
  /** The counts of this process. */
  counts: TrafficCounts;
  /** The running requests of this process. */
  listRunning(now: number): RunningList;
  /** Starts and stops keeping its running requests. */
  keepRunning(isWanted: boolean): void;
  /** Starts and stops capture for those who watch another process. */
  keepCapture(isWanted: boolean): void;
  /** Takes requests that have ended in another process, and the number of those left out. */
  take(entries: readonly TrafficEntry[], skipped: number): void;
}

/** What is known of another process. */
class Other {
  readonly counts = new TrafficCounts();
  running: RunningList = { entries: [], count: 0 };
  /** When it last sent its running requests, when it last was watched, and when it last wanted capture. */
  runningAt = 0;
  watchedAt = 0;
  capturedAt = 0;
}

/** One process among others. */
export class TrafficShare {
  readonly #id = crypto.randomUUID();
  readonly #sharing: Sharing;
  readonly #send: (news: readonly TrafficNews[]) => void;
  readonly #others = new Map<string, Other>();
  #gathered: TrafficRecord[] = [];
  #skipped = 0;
  /** Numbers of the columns that others do not know yet. */
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

  /** The counts of other processes. */
  get counts(): TrafficCounts[] {
    return [...this.#others.values()].map(({ counts }) => counts);
  }

  /** The running requests of other processes. */
  running(now: number): RunningList[] {
    return [...this.#others.values()]
      .filter(({ runningAt }) => now - runningAt < SILENCE_MS)
      .map(({ running }) => running);
  }

  /** Queues an ended request to be sent to the others. */
  note(record: TrafficRecord, column: number): void {
    this.#changed.add(column);
    if (this.#gathered.push(record) > MAX_ENTRIES) {
      this.#gathered.shift();
      this.#skipped += 1;
    }
    this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS);
  }

  /** Tells the others that somebody watches this process; to be called often. */
  keepWatched(now: number, isCapturing: boolean): void {
    if (now - this.#watchedAt < AGAIN_MS) return;
    this.#watchedAt = now;
    this.#tell({ isWatched: true, ...(isCapturing && { isCapturing }) });
  }

  /** Tells the others that those who watch this process begin to want capture, or no longer do. */
  tellCapture(isCapturing: boolean): void {
    this.#tell({ isCapturing });
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

  #take({ from, entries = [], skipped = 0, counts = [], running, ...told }: TrafficNews): void {
    if (from === this.#id) return;
    const now = Date.now();
    this.#forget(now);
    const other = this.#otherOf(from);
    for (const column of counts) other.counts.put(column);
    if (entries.length + skipped > 0) this.#sharing.take(entries, skipped);
    if (running) Object.assign(other, { running, runningAt: now });
    if (told.isNew) this.#tellAll(now);
    if (told.isCapturing !== undefined) {
      other.capturedAt = told.isCapturing ? now : 0;
      this.#keepCapture(now);
    }
    if (told.isWatched || told.isCapturing) {
      other.watchedAt = now;
      this.#sharing.keepRunning(true);
      this.#runningTimer ??= setInterval(() => this.#tellRunning(), RUNNING_MS);
    }
  }

  #keepCapture(now: number): void {
    this.#sharing.keepCapture(
      [...this.#others.values()].some(({ capturedAt }) => now - capturedAt < SILENCE_MS),
    );
  }

  /** Sends a new process the counts of this one. */
  #tellAll(now: number): void {
    const counts = currentColumns(now).flatMap((index) => this.#sharing.counts.read(index) ?? []);
    if (counts.length > 0) this.#tell({ counts });
  }

  #tellRunning(): void {
    const now = Date.now();
    this.#keepCapture(now);
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
    const known = this.#others.get(id) ?? new Other();
    this.#others.set(id, known);
    return known;
  }

  /** Once there are `COLUMNS` others, drops those that sent nothing for as long as the charts go back. */
  #forget(now: number): void {
    if (this.#others.size < COLUMNS) return;
    const columns = currentColumns(now);
    for (const [id, { counts, runningAt, watchedAt, capturedAt }] of this.#others) {
      const isSilent = columns.every((index) => counts.countOf(index) === 0);
      if (isSilent && now - Math.max(runningAt, watchedAt, capturedAt) >= SILENCE_MS) this.#others.delete(id);
    }
  }
}
