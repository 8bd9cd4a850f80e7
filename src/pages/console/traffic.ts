/**
 * Live traffic: keeps the last requests in a ring, counts all, and sends both to watchers (server-sent events).
 * @module
 * @see HTML §9.2 (server-sent events)
 */

import type { Address } from "../../address/address.ts";
import { answerWith } from "../../http/answer.ts";
import type { Signal } from "../../http/cancellation.ts";
import { ProxyError } from "../../http/error.ts";
import { FlowBody } from "../../http/flow.ts";
import type { Reply } from "../../http/reply.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import type { OpenRequests } from "../../exchange/open-requests.ts";
import { columnOf, currentColumns, sumColumn, TrafficCounts } from "./traffic-counts.ts";
import {
  aimAt,
  type CountColumn,
  isFailure,
  isTraffic,
  type TrafficEntry,
  type TrafficMessage,
  type TrafficRecord,
} from "./traffic-message.ts";
import { TrafficRing } from "./traffic-ring.ts";
import { joinRunning, type RunningList, RunningRequests } from "./traffic-running.ts";
import { type ShareTraffic, TrafficShare } from "./traffic-share.ts";

export type { TrafficEntry } from "./traffic-message.ts";

/** Maximum number of watchers. */
export const MAX_WATCHERS = 32;
/** Maximum number of ended requests in a message after the first; the newest are in it. */
export const MAX_ENTRIES = 200;
/** How long requests are gathered before they are sent, in milliseconds. */
const GATHER_MS = 100;
/** How long a list of what runs is good, in milliseconds. */
const RUNNING_MS = 300;
/**
 * A silent connection gets a comment this often, in milliseconds: front proxies cut connections that idle for a minute.
 */
const HEARTBEAT_MS = 15_000;
/** Maximum unread messages of a watcher. A slower one is disconnected, reconnects and gets the ring. */
const MAX_UNREAD = 64;

interface Watcher {
  body: FlowBody;
  /** Its own timer: on some platforms a timer ends with the request that set it, so watchers cannot share one. */
  timer: ReturnType<typeof setInterval>;
  /** What of the ring, and of what is missed there, it knows. */
  next: number;
  missed: number;
  /** The running requests that it knows, as JSON. */
  running: string;
  /** Columns that it knows: number and count of requests. */
  counts: Map<number, number>;
  /** Milliseconds since its last message. */
  silentMs: number;
  /** Messages sent since it stopped reading; `undefined` while it reads. */
  unread: number | undefined;
}

const encoder = new TextEncoder();

/** Ring, counters and watchers. Without watchers a request costs almost nothing: its record is read on demand. */
export class Traffic {
  /** What a browser must send to watch; only the page itself has it (see `answerTraffic`). */
  readonly ticket: string;
  readonly #ring = new TrafficRing();
  readonly #counts = new TrafficCounts();
  readonly #running: RunningRequests;
  readonly #share: TrafficShare | undefined;
  readonly #watchers = new Set<Watcher>();
  /** What runs, as listed last, and when that was. */
  #listed = { entries: [] as TrafficEntry[], count: 0, text: "[]", at: 0 };
  #isClosed = false;

  /**
   * @param ticket the same in all processes of a proxy
   * @param share if there are several processes
   * @param open the requests in flight, where a server keeps them
   */
  constructor(ticket: string = crypto.randomUUID(), share?: ShareTraffic, open?: OpenRequests) {
    this.ticket = ticket;
    this.#running = new RunningRequests(open);
    this.#share = share && new TrafficShare(share, {
      counts: this.#counts,
      listRunning: (now) => this.#running.list(now),
      keepRunning: (isWanted) => this.#running.keep(isWanted || this.#watchers.size > 0),
      take: (entries, skipped) => {
        for (const entry of entries) this.#ring.add(entry);
        this.#ring.miss(skipped);
      },
    });
  }

  /** Takes the records of new requests; `undefined` while nobody needs them here. */
  get open(): OpenRequests | undefined {
    return this.#running.own;
  }

  /** Notes the outgoing request. */
  aim(record: TrafficRecord, method: string, address: Address): void {
    record.aim = aimAt(method, address);
  }

  /** Takes the record of a finished request. Ignores requests without target and error: they are the proxy's own. */
  note(record: TrafficRecord): void {
    this.#running.own?.delete(record);
    if (!isTraffic(record)) return;
    this.#ring.add(record);
    const endMs = record.time + record.totalMs;
    this.#counts.add(endMs, isFailure(record), record.bytesOut, record.headMs);
    this.#share?.note(record, columnOf(endMs));
  }

  /** The remembered requests, oldest first. */
  get entries(): TrafficEntry[] {
    return this.#ring.newest();
  }

  /** The current number of watchers. */
  get watchers(): number {
    return this.#watchers.size;
  }

  /**
   * Starts watching: first the ring, then what is new. Ends with the signal or the stream.
   *
   * @throws {ProxyError} `overloaded` if there are too many watchers
   */
  watch(signal: Signal): FlowBody {
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
    const own: Watcher = { body, timer, ...known, silentMs: 0, unread: 0 };
    this.#watchers.add(own);
    this.#running.keep(true);
    const now = Date.now();
    this.#share?.keepWatched(now);
    const ring = JSON.stringify({ now, entries: this.entries, skipped: 0, ...this.#changesFor(own, now) });
    body.push(encoder.encode(`retry: 2000\nevent: ring\ndata: ${ring}\n\n`));
    signal.addEventListener("abort", leave, { once: true });
    return body;
  }

  /** Ends all watching, so that a stopping proxy need not wait. */
  close(): void {
    this.#isClosed = true;
    for (const watcher of [...this.#watchers]) this.#leave(watcher);
  }

  /** Sends a watcher what is new. */
  #tell(watcher: Watcher): void {
    const now = Date.now();
    this.#share?.keepWatched(now);
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
    watcher.body.push(encoder.encode(isSilent ? ": alive\n\n" : `data: ${JSON.stringify(news)}\n\n`));
  }

  /** The running requests and the columns, as far as this watcher does not know them; now it does. */
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
    if (this.#watchers.size === 0) this.#running.keep(false);
  }
}

/**
 * Answers `/__proxy__/traffic`.
 *
 * A target's own page shares this origin with the console (cookie selector), so same-origin proves nothing. A browser
 * must send the ticket, which the page contains only when it is opened as its own document.
 *
 * @param seesTraffic whether the caller may reach private targets or sent the token
 * @throws {ProxyError} `forbidden`, `method_not_allowed` or `overloaded`
 */
export function answerTraffic(
  { incoming, path }: Exchange,
  traffic: Traffic,
  seesTraffic: boolean,
): Reply {
  if (incoming.method !== "GET" && incoming.method !== "HEAD") {
    const message = `Cannot use method ${incoming.method} here, expected GET or HEAD`;
    throw new ProxyError("method_not_allowed", message, { headers: { allow: "GET, HEAD" } });
  }
  if (!seesTraffic) {
    throw new ProxyError(
      "forbidden",
      "Cannot show live traffic here: it needs the proxy's token, or a proxy that only this machine reaches",
    );
  }
  const isBrowser = incoming.headers.has("sec-fetch-site");
  if (isBrowser && new URLSearchParams(path.split("?")[1]).get("ticket") !== traffic.ticket) {
    throw new ProxyError(
      "forbidden",
      "Cannot show live traffic to this page: only the console may show it. Reload a console opened before a restart",
    );
  }
  const fields = Object.entries({
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-accel-buffering": "no",
  });
  return answerWith(200, fields, incoming.method === "HEAD" ? null : traffic.watch(incoming.signal));
}
