/**
 * The requests in flight, for live traffic: read from the records that a server keeps anyway.
 * @module
 */

import { OpenRequests } from "../../core/exchange/open-requests.ts";
import { RequestRecord } from "../../core/exchange/record.ts";
import { isTraffic, summarize, type TrafficEntry, type TrafficRecord } from "./traffic-message.ts";

/** Requests are listed once they are this old, in milliseconds: most end before. */
export const RUNNING_AFTER_MS = 300;
/** Maximum number of requests in the list. */
export const MAX_RUNNING = 200;

/** Requests that run, oldest first. */
export interface RunningList {
  entries: TrafficEntry[];
  /** How many run, listed or not. */
  count: number;
}

/** Lists the requests in flight. */
export class RunningRequests {
  readonly #kept: OpenRequests | undefined;
  #own: OpenRequests | undefined;

  /** @param kept what a server keeps; without it, requests are kept here while somebody watches */
  constructor(kept?: OpenRequests) {
    this.#kept = kept;
  }

  /** Takes the records of new requests; `undefined` while nobody needs them here. */
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
    const records: TrafficRecord[] = [];
    for (const record of (this.#kept ?? this.#own)?.records() ?? []) {
      const isListed = record instanceof RequestRecord && now - record.time >= RUNNING_AFTER_MS;
      if (isListed && isTraffic(record)) records.push(record);
    }
    return {
      entries: records.slice(-MAX_RUNNING).map((record) => ({ ...summarize(record), isRunning: true })),
      count: records.length,
    };
  }
}

/** The lists of several processes in one, no longer than each may be. */
export function joinRunning(lists: readonly RunningList[]): RunningList {
  const entries = lists.flatMap((list) => list.entries).sort((one, other) => one.time - other.time);
  return { entries: entries.slice(-MAX_RUNNING), count: lists.reduce((sum, { count }) => sum + count, 0) };
}
