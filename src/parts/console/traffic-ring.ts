/**
 * The last requests that have ended, in memory.
 * @module
 */

import { RequestRecord } from "../../core/exchange/record.ts";
import { TrafficFacts } from "./traffic-facts.ts";
import { summarize, type TrafficEntry, type TrafficRecord } from "./traffic-message.ts";

/** Number of requests in the ring: about a quarter of a megabyte. */
export const RING_SIZE = 1_000;

/** What is read of the records of this process when somebody asks, and entries of others. */
export class TrafficRing {
  readonly #facts = new TrafficFacts(RING_SIZE);
  /** What is kept as it is. */
  readonly #whole: (TrafficRecord | TrafficEntry | undefined)[] = new Array(RING_SIZE);
  #count = 0;
  #missed = 0;

  /** Requests that were ever in the ring. */
  get count(): number {
    return this.#count;
  }

  /** Requests of other processes that were never in it, because they were too many to be told. */
  get missed(): number {
    return this.#missed;
  }

  add(one: TrafficRecord | TrafficEntry): void {
    const place = this.#count % RING_SIZE;
    this.#count += 1;
    // What was captured may be forgotten later, which only its record tells.
    const isPacked = one instanceof RequestRecord && one.capture === undefined;
    this.#whole[place] = isPacked ? undefined : one;
    if (isPacked) this.#facts.put(place, one);
  }

  /** Notes requests that others do not tell one by one. */
  miss(count: number): void {
    this.#missed += count;
  }

  /** The last entries, oldest first; at most so many as there are. */
  newest(count: number = RING_SIZE): TrafficEntry[] {
    const length = Math.min(count, this.#count, RING_SIZE);
    return Array.from({ length }, (_, index) => this.#entry((this.#count - length + index) % RING_SIZE));
  }

  #entry(place: number): TrafficEntry {
    const one = this.#whole[place] ?? this.#facts.get(place);
    return "key" in one ? one : summarize(one);
  }
}
