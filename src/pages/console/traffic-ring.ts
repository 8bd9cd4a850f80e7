/**
 * The last requests that have ended, in memory.
 * @module
 */

import { RequestRecord } from "../../exchange/record.ts";
import { summarize, type TrafficEntry, type TrafficRecord } from "./traffic-message.ts";

/** Number of requests in the ring: about half a megabyte. */
export const RING_SIZE = 1_000;

/** Records of this process, read when somebody asks, and entries of others. */
export class TrafficRing {
  readonly #ring: (TrafficRecord | TrafficEntry)[] = [];
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
    this.#ring[this.#count % RING_SIZE] = one;
    this.#count += 1;
  }

  /** Notes requests that others do not tell one by one. */
  miss(count: number): void {
    this.#missed += count;
  }

  /** The last entries, oldest first; at most so many as there are. */
  newest(count: number = RING_SIZE): TrafficEntry[] {
    const length = Math.min(count, this.#ring.length);
    return Array.from({ length }, (_, index) => {
      const one = this.#ring[(this.#count - length + index) % RING_SIZE] as TrafficRecord | TrafficEntry;
      return one instanceof RequestRecord ? summarize(one) : one;
    });
  }
}
