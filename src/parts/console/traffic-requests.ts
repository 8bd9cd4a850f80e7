/**
 * The requests of live traffic: the last that have ended, without their records, and those in flight.
 *
 * A garbage collector has to trace live records, and stops all requests meanwhile. So the facts of those that have ended are
 * kept in two arrays that are reused. Those in flight are read from the records that a server keeps anyway.
 * @module
 */

import { OpenRequests, RequestRecord } from "../../core/exchange/record.ts";
import { copyText } from "../../core/http/memo.ts";
import {
  maskAddress,
  MAX_METHOD_LENGTH,
  MAX_SETTING_LENGTH,
  MOST_ADDRESS,
  NUMBERS,
  summarize,
  type Summarized,
  TEXTS,
  type TrafficEntry,
  type TrafficRecord,
} from "./traffic-message.ts";

/** Requests are listed once they are this old, in milliseconds: most end earlier. */
const RUNNING_AFTER_MS = 300;
/** Maximum number of requests in the list. */
export const MAX_RUNNING = 200;
/** Number of requests in the ring: about a quarter of a megabyte. */
export const RING_SIZE = 1_000;

/** How many facts are kept of a record beside its numbers: its texts, and three of what goes out. */
const FACTS = TEXTS.length + 3;
/** The most characters of a host with its port. Callers may send 64 KiB of it, and of a path. */
const MOST_HOST = 260;
const START = "http://a";

/** Facts of this process's records, summarized only when they are read, and entries of other processes. */
export class TrafficRing {
  readonly #facts = new TrafficFacts(RING_SIZE);
  /** Records and entries that are kept as they are. */
  readonly #whole: (TrafficRecord | TrafficEntry | undefined)[] = new Array(RING_SIZE);
  /** Number of requests that were ever in the ring. */
  count = 0;
  /** Number of requests of other processes that were never in it, because they were too many to be sent. */
  missed = 0;

  add(one: TrafficRecord | TrafficEntry): void {
    const place = this.count % RING_SIZE;
    this.count += 1;
    // A capture may be dropped later, which only the record itself tells.
    const isPacked = one instanceof RequestRecord && one.capture === undefined;
    this.#whole[place] = isPacked ? undefined : one;
    if (isPacked) this.#facts.put(place, one);
  }

  /** The last entries, oldest first; fewer if there are fewer. */
  newest(count: number = RING_SIZE): TrafficEntry[] {
    const length = Math.min(count, this.count, RING_SIZE);
    return Array.from({ length }, (_, index) => this.#entry((this.count - length + index) % RING_SIZE));
  }

  #entry(place: number): TrafficEntry {
    const one = this.#whole[place] ?? this.#facts.get(place);
    return "key" in one ? one : summarize(one);
  }
}

/** Numbered places, each for the facts of one record. */
export class TrafficFacts {
  readonly #numbers: Float64Array;
  readonly #facts: unknown[];
  /** Where the facts of the last record are: most have some of its texts, which need no further copy. */
  #last = 0;

  constructor(places: number) {
    this.#numbers = new Float64Array(places * NUMBERS.length);
    this.#facts = new Array(places * FACTS);
  }

  /** Replaces the facts at a place by those of a record, in the order of their names. Unrolled, because it runs for each request. */
  put(place: number, record: TrafficRecord): void {
    const numbers = this.#numbers;
    const first = place * NUMBERS.length;
    numbers[first] = record.time;
    numbers[first + 1] = record.status;
    numbers[first + 2] = record.bytesIn;
    numbers[first + 3] = record.bytesOut;
    numbers[first + 4] = record.headMs;
    numbers[first + 5] = record.totalMs;
    const facts = this.#facts;
    const { aim } = record;
    const start = place * FACTS;
    const last = this.#last;
    this.#last = start;
    facts[start] = record.id;
    facts[start + 1] = keep(record.method, MAX_METHOD_LENGTH, facts[last + 1]);
    facts[start + 2] = record.selector;
    facts[start + 3] = keep(record.target, MOST_HOST, facts[last + 3]);
    facts[start + 4] = record.callerId;
    facts[start + 5] = record.error;
    // One that is too long is not shown.
    facts[start + 6] = keep(record.setting, MAX_SETTING_LENGTH + 1);
    facts[start + 7] = keep(aim?.method, MAX_METHOD_LENGTH, facts[last + 7]);
    facts[start + 8] = aim && keepOrigin(aim.origin, facts[last + 8]);
    facts[start + 9] = aim && keepPath(aim.path, facts[last + 9]);
  }

  /** The facts that `put` stored, in the same order. */
  get(place: number): Summarized {
    const start = place * FACTS;
    const [method, origin, path] = this.#facts.slice(start + TEXTS.length, start + FACTS);
    return {
      ...nameAll(NUMBERS, this.#numbers.subarray(place * NUMBERS.length)),
      ...nameAll(TEXTS, this.#facts.slice(start, start + TEXTS.length)),
      aim: origin && { method, origin, path },
    } as Summarized;
  }
}

function nameAll(names: readonly string[], values: ArrayLike<unknown>): Record<string, unknown> {
  return Object.fromEntries(names.map((name, at) => [name, values[at]]));
}

/** A copy of the beginning of a text, which keeps nothing else alive; the same as before where it is equal. */
function keep(text: string | undefined, most: number, before?: unknown): unknown {
  return text === before ? before : text && copyText(text.slice(0, most));
}

/** No name is longer than `MOST_HOST`: nothing went there. A runtime makes the text of a host at each read. */
function keepOrigin(origin: URL, before: unknown): unknown {
  return origin === before || origin.host.length <= MOST_HOST ? origin : undefined;
}

/** A long path is masked before it is cut: its end may be the beginning of a secret. Its `?` says that it is not whole. */
function keepPath(path: string, before: unknown): unknown {
  return path === before
    ? before
    : copyText(path.length <= MOST_ADDRESS ? path : `${maskAddress(START + path).slice(START.length)}?`);
}

/** Running requests, oldest first. */
export interface RunningList {
  entries: TrafficEntry[];
  /** How many run, listed or not. */
  count: number;
}

/** Lists the requests in flight. */
export class RunningRequests {
  readonly #kept: OpenRequests | undefined;
  #own: OpenRequests | undefined;

  /** @param kept the open requests that a server keeps; without them, requests are kept here while somebody watches */
  constructor(kept?: OpenRequests) {
    this.#kept = kept;
  }

  /** Takes the records of new requests; `undefined` while they are not needed here. */
  get own(): OpenRequests | undefined {
    return this.#own;
  }

  /** Starts and stops keeping records. */
  keep(isWatched: boolean): void {
    if (!isWatched) this.#own = undefined;
    else if (!this.#kept) this.#own ??= new OpenRequests();
  }

  /** The newest requests that are old enough. */
  list(now: number): RunningList {
    const records = ((this.#kept ?? this.#own)?.records() ?? [])
      .filter(({ time, isTraffic }) => isTraffic && now - time >= RUNNING_AFTER_MS);
    return {
      entries: records.slice(-MAX_RUNNING).map((record) => ({ ...summarize(record), isRunning: true })),
      count: records.length,
    };
  }
}

/** Joins the lists of several processes, limited like a single list. */
export function joinRunning(lists: readonly RunningList[]): RunningList {
  const entries = lists.flatMap((list) => list.entries).sort((one, other) => one.time - other.time);
  return { entries: entries.slice(-MAX_RUNNING), count: lists.reduce((sum, { count }) => sum + count, 0) };
}
