/**
 * The last requests that have ended, in memory.
 * @module
 */

import { RequestRecord } from "../../core/exchange/record.ts";
import { TrafficFacts } from "./traffic-facts.ts";
import { summarize, type TrafficEntry, type TrafficRecord } from "./traffic-message.ts";

/** Number of requests in the ring: about a quarter of a megabyte. */
export const RING_SIZE = 1_000;

/** Facts of this process's records, summarized only when they are read, and entries of other processes. */
export class TrafficRing {
  readonly #facts = new TrafficFacts(RING_SIZE);
  /** Records and entries that are kept as they are. */
  readonly #whole: (TrafficRecord | TrafficEntry | undefined)[] = new Array(RING_SIZE);
  #count = 0;
  #missed = 0;

  /** Number of requests that were ever in the ring. */
  get count(): number {
    return this.#count;
  }

  /** Number of requests of other processes that were never in it, because they were too many to be sent. */
  get missed(): number {
    return this.#missed;
  }

  add(one: TrafficRecord | TrafficEntry): void {
    const place = this.#count % RING_SIZE;
    this.#count += 1;
    // A capture may be dropped later, which only the record itself tells.
    const isPacked = one instanceof RequestRecord && one.capture === undefined;
    this.#whole[place] = isPacked ? undefined : one;
    if (isPacked) this.#facts.put(place, one);
  }

  /** Counts requests that other processes did not send one by one. */
  miss(count: number): void {
    this.#missed += count;
  }

  /** The last entries, oldest first; fewer if there are fewer. */
  newest(count: number = RING_SIZE): TrafficEntry[] {
    const length = Math.min(count, this.#count, RING_SIZE);
    return Array.from({ length }, (_, index) => this.#entry((this.#count - length + index) % RING_SIZE));
  }

  #entry(place: number): TrafficEntry {
    const one = this.#whole[place] ?? this.#facts.get(place);
    return "key" in one ? one : summarize(one);
  }
}
