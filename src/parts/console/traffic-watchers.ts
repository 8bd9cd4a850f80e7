/**
 * The watchers of live traffic: each gets the ring, and then what is new (server-sent events).
 * @module
 * @see HTML §9.2 (server-sent events)
 */

import type { Signal } from "../../core/http/cancellation.ts";
import { ProxyError } from "../../core/http/error.ts";
import { FlowBody } from "../../core/http/flow.ts";
import { currentColumns, sumColumn, type TrafficCounts } from "./traffic-counts.ts";
import type { CountColumn, TrafficEntry, TrafficMessage } from "./traffic-message.ts";
import { joinRunning, type RunningList, type RunningRequests, type TrafficRing } from "./traffic-requests.ts";
import type { TrafficShare } from "./traffic-share.ts";

/** Maximum number of watchers. */
export const MAX_WATCHERS = 32;
/** Maximum number of ended requests in a message after the first; the newest are kept. */
export const MAX_ENTRIES = 200;
/** How long requests are gathered before they are sent, in milliseconds. */
const GATHER_MS = 100;
/** How long a list of running requests is reused, in milliseconds. */
const RUNNING_MS = 300;
/**
 * A silent connection gets a comment this often, in milliseconds: front proxies cut connections that are idle for a minute.
 */
const HEARTBEAT_MS = 15_000;
/** Maximum unread messages of a watcher. A slower one is disconnected, reconnects and gets the ring. */
const MAX_UNREAD = 64;

interface Watcher {
  body: FlowBody;
  /** False if what was captured is left out. */
  seesCaptures: boolean;
  /** True if capture is on while it watches. */
  opensCapture: boolean;
  /** Its own timer: on some platforms a timer ends with the request that set it, so watchers cannot share one. */
  timer: ReturnType<typeof setInterval>;
  /** The ring's counts of added and of missed requests, as this watcher last saw them. */
  next: number;
  missed: number;
  /** The running requests that it knows, as JSON. */
  running: string;
  /** Columns that it knows: the column's number, and its count of requests. */
  counts: Map<number, number>;
  /** Milliseconds since its last message. */
  silentMs: number;
  /** Messages sent since it stopped reading; `undefined` while it reads. */
  unread: number | undefined;
}

const encoder = new TextEncoder();

/** The watchers of one process. */
export class TrafficWatchers {
  readonly #ring: TrafficRing;
  readonly #counts: TrafficCounts;
  readonly #running: RunningRequests;
  readonly #share: TrafficShare | undefined;
  /** Called when one who switches capture on comes or leaves. */
  readonly #onCapture: () => void;
  readonly #watchers = new Set<Watcher>();
  /** The latest list of running requests, and when it was made. */
  #listed = { entries: [] as TrafficEntry[], count: 0, text: "[]", at: 0 };
  #isClosed = false;

  /** @param share the news of other processes; absent if there is only one process */
  constructor(
    ring: TrafficRing,
    counts: TrafficCounts,
    running: RunningRequests,
    share?: TrafficShare,
    onCapture = () => {},
  ) {
    this.#ring = ring;
    this.#counts = counts;
    this.#running = running;
    this.#share = share;
    this.#onCapture = onCapture;
  }

  /** The number of watchers. */
  get size(): number {
    return this.#watchers.size;
  }

  /** True while somebody watches who switches capture on. */
  get isCapturing(): boolean {
    return [...this.#watchers].some(({ opensCapture }) => opensCapture);
  }

  /**
   * Starts watching: first the ring, then what is new. Ends with the signal or the stream.
   *
   * @param seesCaptures false, the default, to leave out what was captured: queries, and names of operations
   * @param opensCapture true to switch capture on until it ends; false by default
   * @throws {ProxyError} `overloaded` if there are too many watchers
   */
  watch(signal: Signal, seesCaptures = false, opensCapture = false): FlowBody {
    if (this.#watchers.size >= MAX_WATCHERS || this.#isClosed) {
      const message =
        `Cannot show live traffic: ${this.#watchers.size} pages watch it already. Close one of them`;
      throw new ProxyError("overloaded", message, { headers: { "retry-after": "5" } });
    }
    const leave = () => this.#leave(own);
    const body = new FlowBody({
      pause: () => void (own.unread ??= 0),
      resume: () => void (own.unread = undefined),
      cancel: leave,
    });
    const timer = setInterval(() => this.#tell(own), GATHER_MS);
    const { count: next, missed } = this.#ring;
    const known = { next, missed, running: "[]", counts: new Map<number, number>() };
    const own: Watcher = { body, seesCaptures, opensCapture, timer, ...known, silentMs: 0, unread: 0 };
    this.#watchers.add(own);
    if (opensCapture) this.#onCapture();
    this.#running.keep(true);
    const now = Date.now();
    this.#share?.keepWatched(now, this.isCapturing);
    const news = { now, entries: this.#ring.newest(), skipped: 0, ...this.#changesFor(own, now) };
    const ring = write(news, own);
    body.push(encoder.encode(`retry: 2000\nevent: ring\ndata: ${ring}\n\n`));
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    return body;
  }

  /** Disconnects all watchers, and refuses new ones. */
  close(): void {
    this.#isClosed = true;
    for (const watcher of [...this.#watchers]) this.#leave(watcher);
  }

  /** Sends a watcher what is new. */
  #tell(watcher: Watcher): void {
    const now = Date.now();
    this.#share?.keepWatched(now, this.isCapturing);
    const { count, missed } = this.#ring;
    const entries = this.#ring.newest(Math.min(count - watcher.next, MAX_ENTRIES));
    const skipped = count - watcher.next - entries.length + missed - watcher.missed;
    const changes = this.#changesFor(watcher, now);
    const isSilent = entries.length + skipped + Object.keys(changes).length === 0;
    watcher.silentMs += GATHER_MS;
    if (isSilent && watcher.silentMs < HEARTBEAT_MS) return;
    const news: TrafficMessage = { now, entries, skipped, ...changes };
    Object.assign(watcher, { next: count, missed, silentMs: 0 });
    if (watcher.unread !== undefined) watcher.unread += 1;
    if (watcher.unread === MAX_UNREAD) return this.#leave(watcher);
    watcher.body.push(encoder.encode(isSilent ? ": alive\n\n" : `data: ${write(news, watcher)}\n\n`));
  }

  /** The running requests and columns that this watcher does not know yet; marks them as known. */
  #changesFor(watcher: Watcher, now: number): Pick<TrafficMessage, "running" | "runningCount" | "counts"> {
    const { entries, count, text } = this.#listRunning(now);
    const hasChanged = text !== watcher.running;
    watcher.running = text;
    const counts = this.#changedColumns(watcher, now);
    return {
      ...(hasChanged && { running: entries }),
      ...(hasChanged && count > entries.length && { runningCount: count }),
      ...(counts.length > 0 && { counts }),
    };
  }

  #listRunning(now: number): RunningList & { text: string } {
    if (Math.abs(now - this.#listed.at) >= RUNNING_MS) {
      const list = joinRunning([this.#running.list(now), ...this.#share?.running(now) ?? []]);
      this.#listed = { ...list, text: JSON.stringify(list.entries), at: now };
    }
    return this.#listed;
  }

  #changedColumns({ counts }: Watcher, now: number): CountColumn[] {
    const sources = [this.#counts, ...this.#share?.counts ?? []];
    const current = currentColumns(now);
    const changed = current.flatMap((index) => {
      const count = sources.reduce((sum, source) => sum + source.countOf(index), 0);
      if (count === (counts.get(index) ?? 0)) return [];
      counts.set(index, count);
      return [sumColumn(sources, index)];
    });
    counts.delete(current[0]! - 1);
    return changed;
  }

  #leave(watcher: Watcher): void {
    if (!this.#watchers.delete(watcher)) return;
    clearInterval(watcher.timer);
    watcher.body.end();
    if (watcher.opensCapture) this.#onCapture();
    if (this.#watchers.size === 0) this.#running.keep(false);
  }
}

function write(news: TrafficMessage, { seesCaptures }: Watcher): string {
  return JSON.stringify(news, seesCaptures ? undefined : dropCaptured);
}

function dropCaptured(name: string, value: unknown): unknown {
  return name === "query" || name === "operation" ? undefined : value;
}
