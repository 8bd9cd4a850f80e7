/**
 * The requests in flight, for live traffic: read from the records that a server keeps anyway.
 * @module
 */

import { OpenRequests } from "../../core/exchange/record.ts";
import { summarize, type TrafficEntry } from "./traffic-message.ts";

/** Requests are listed once they are this old, in milliseconds: most end earlier. */
const RUNNING_AFTER_MS = 300;
/** Maximum number of requests in the list. */
export const MAX_RUNNING = 200;

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
