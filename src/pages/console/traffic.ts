/**
 * Live traffic: keeps the last requests in a ring and sends them to watchers (server-sent events).
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
import { RequestRecord } from "../../exchange/record.ts";
import { maskAddress } from "./mask.ts";

/** Number of requests in the ring. */
export const RING_SIZE = 200;
/** Maximum number of watchers. */
export const MAX_WATCHERS = 32;
/** How long requests are gathered before they are sent, in milliseconds. */
const GATHER_MS = 100;
/**
 * A silent connection gets a comment this often, in milliseconds: front proxies cut connections that idle for a minute.
 */
const HEARTBEAT_MS = 15_000;
/** Maximum unread messages of a watcher. A slower one is disconnected, reconnects and gets the ring. */
const MAX_UNREAD = 64;
const MAX_METHOD_LENGTH = 32;
const MAX_SETTING_LENGTH = 300;

/** One finished request, as the console shows it. It never contains a query, a header field, a body or an address of a caller. */
export interface TrafficEntry {
  /** The number of the entry in this process. */
  id: number;
  /** When it arrived, in Unix milliseconds. */
  time: number;
  /** As sent to the target. */
  method: string;
  selector?: string;
  /** Host and port of the target. */
  target?: string;
  /** Address of the target without its query; secrets in its path are masked. */
  address?: string;
  /** True if `address` is incomplete: the query left out, a secret masked, or the end cut off. */
  isPartial?: true;
  /** The id of the caller's own token. */
  callerId?: string;
  status: number;
  bytesIn: number;
  bytesOut: number;
  headMs: number;
  totalMs: number;
  error?: string;
  /** The setting that would have allowed it. */
  setting?: string;
}

/** The outgoing request: its method (an `arg` has its own), and its address with a bare `?` for a query. */
export interface Aim {
  method: string;
  address: string;
}

/** A record, with the outgoing request if it was noted. */
export type TrafficRecord = RequestRecord & { aim?: Aim | undefined };

/**
 * Shares traffic between processes: takes a receiver for the entries of others, and returns a sender for those of this
 * one.
 */
export type ShareTraffic = (
  take: (entries: readonly TrafficEntry[]) => void,
) => (entries: readonly TrafficEntry[]) => void;

interface Watcher {
  body: FlowBody;
  /** Its own timer: on some platforms a timer ends with the request that set it, so watchers cannot share one. */
  timer: ReturnType<typeof setInterval>;
  /** The first entry not sent to it yet. */
  next: number;
  /** Milliseconds since its last message. */
  silentMs: number;
  /** Messages sent since it stopped reading; `undefined` while it reads. */
  unread: number | undefined;
}

const encoder = new TextEncoder();

/** The ring and its watchers. Without watchers a request costs almost nothing: its record is read on demand. */
export class Traffic {
  /** What a browser must send to watch; only the page itself has it (see `answerTraffic`). */
  readonly ticket: string;
  /** Records of this process, and entries of others. */
  readonly #ring: (TrafficRecord | TrafficEntry)[] = [];
  readonly #spread: ((entries: readonly TrafficEntry[]) => void) | undefined;
  readonly #watchers = new Set<Watcher>();
  #count = 0;
  #gathered: [record: TrafficRecord, id: number][] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  /**
   * @param ticket the same in all processes of a proxy
   * @param share if there are several processes
   */
  constructor(ticket: string = crypto.randomUUID(), share?: ShareTraffic) {
    this.ticket = ticket;
    this.#spread = share?.((entries) => this.#take(entries));
  }

  /** Notes the outgoing request. A query becomes a bare `?`, so no record ever contains one. */
  aim(record: TrafficRecord, method: string, { origin, path }: Address): void {
    const end = path.indexOf("?");
    record.aim = { method, address: origin.origin + (end < 0 ? path : path.slice(0, end + 1)) };
  }

  /** Takes the record of a finished request. Ignores requests without target and error: they are the proxy's own. */
  note(record: TrafficRecord): void {
    if (record.target === undefined && record.error === undefined) return;
    const id = this.#remember(record);
    if (!this.#spread) return;
    if (this.#gathered.push([record, id]) > RING_SIZE) this.#gathered.shift();
    this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS);
  }

  /** The remembered requests, oldest first. */
  get entries(): TrafficEntry[] {
    return this.#newest(this.#ring.length);
  }

  /** The current number of watchers. */
  get watchers(): number {
    return this.#watchers.size;
  }

  /**
   * Starts watching: first the ring, then new requests. Ends with the signal or the stream.
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
    const own: Watcher = { body, timer, next: this.#count, silentMs: 0, unread: 0 };
    this.#watchers.add(own);
    const ring = JSON.stringify({ now: Date.now(), entries: this.entries });
    body.push(encoder.encode(`retry: 2000\nevent: ring\ndata: ${ring}\n\n`));
    signal.addEventListener("abort", leave, { once: true });
    return body;
  }

  /** Ends all watching, so that a stopping proxy need not wait. */
  close(): void {
    this.#isClosed = true;
    for (const watcher of [...this.#watchers]) this.#leave(watcher);
  }

  /** The last `count` entries, oldest first. */
  #newest(count: number): TrafficEntry[] {
    return Array.from({ length: count }, (_, index) => {
      const id = this.#count - count + index;
      const one = this.#ring[id % RING_SIZE] as TrafficRecord | TrafficEntry;
      return one instanceof RequestRecord ? summarize(one, id) : { ...one, id };
    });
  }

  /** Adds one to the ring, and returns its number. */
  #remember(one: TrafficRecord | TrafficEntry): number {
    this.#ring[this.#count % RING_SIZE] = one;
    this.#count += 1;
    return this.#count - 1;
  }

  /** Takes entries of other processes. */
  #take(taken: readonly TrafficEntry[]): void {
    for (const entry of taken) this.#remember(entry);
    for (const watcher of [...this.#watchers]) this.#tell(watcher);
  }

  /** Sends new entries to other processes. */
  #flush(): void {
    this.#timer = undefined;
    const entries = this.#gathered.map(([record, id]) => summarize(record, id));
    this.#gathered = [];
    this.#spread?.(entries);
  }

  /** Sends new entries to a watcher. */
  #tell(watcher: Watcher): void {
    const count = this.#count - watcher.next;
    watcher.silentMs += GATHER_MS;
    if (count === 0 && watcher.silentMs < HEARTBEAT_MS) return;
    const skipped = Math.max(0, count - RING_SIZE);
    const entries = this.#newest(count - skipped);
    const message = count ? `data: ${JSON.stringify({ now: Date.now(), skipped, entries })}` : ": alive";
    watcher.next = this.#count;
    watcher.silentMs = 0;
    if (watcher.unread !== undefined) watcher.unread += 1;
    if (watcher.unread === MAX_UNREAD) this.#leave(watcher);
    else watcher.body.push(encoder.encode(`${message}\n\n`));
  }

  #leave(watcher: Watcher): void {
    if (!this.#watchers.delete(watcher)) return;
    clearInterval(watcher.timer);
    watcher.body.end();
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

function summarize(record: TrafficRecord, id: number): TrafficEntry {
  const { time, selector, target, status, bytesIn, bytesOut, headMs, totalMs, error, aim, callerId } = record;
  const method = (aim?.method ?? record.method).slice(0, MAX_METHOD_LENGTH);
  const entry: TrafficEntry = { id, time, method, status, bytesIn, bytesOut, headMs, totalMs };
  if (selector) entry.selector = selector;
  if (target) entry.target = target;
  if (callerId) entry.callerId = callerId;
  if (error) entry.error = error;
  // The caller chooses the names in it, so its length is limited.
  if (record.setting && record.setting.length <= MAX_SETTING_LENGTH) entry.setting = record.setting;
  if (!aim) return entry;
  entry.address = maskAddress(aim.address);
  if (entry.address !== aim.address) entry.isPartial = true;
  return entry;
}
