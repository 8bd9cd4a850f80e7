/**
 * The last requests that have ended, in memory.
 * @module
 */

import { type Aim, RequestRecord } from "../../exchange/record.ts";
import { summarize, type Summarized, type TrafficEntry, type TrafficRecord } from "./traffic-message.ts";

/** Number of requests in the ring: about a quarter of a megabyte. */
export const RING_SIZE = 1_000;

/** How many numbers are kept of a record, and how many other facts. */
const NUMBERS = 6;
const FACTS = 10;

/**
 * Records of this process, read when somebody asks, and entries of others.
 *
 * A thousand live records would be what a collector mostly has to follow, and it stops all requests meanwhile. So only
 * their facts are kept, in two blocks that are used again.
 */
export class TrafficRing {
  readonly #numbers = new Float64Array(RING_SIZE * NUMBERS);
  readonly #facts: unknown[] = new Array(RING_SIZE * FACTS);
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
    const isCopied = one instanceof RequestRecord && one.capture === undefined;
    this.#whole[place] = isCopied ? undefined : one;
    if (isCopied) this.#copy(one, place);
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
    const one = this.#whole[place] ?? this.#read(place);
    return "key" in one ? one : summarize(one);
  }

  /** Written out, because it is done for each request. */
  #copy(record: TrafficRecord, place: number): void {
    const numbers = this.#numbers;
    const first = place * NUMBERS;
    numbers[first] = record.time;
    numbers[first + 1] = record.status;
    numbers[first + 2] = record.bytesIn;
    numbers[first + 3] = record.bytesOut;
    numbers[first + 4] = record.headMs;
    numbers[first + 5] = record.totalMs;
    const facts = this.#facts;
    const { aim } = record;
    const start = place * FACTS;
    facts[start] = record.id;
    facts[start + 1] = record.method;
    facts[start + 2] = record.selector;
    facts[start + 3] = record.target;
    facts[start + 4] = record.callerId;
    facts[start + 5] = record.error;
    facts[start + 6] = record.setting;
    facts[start + 7] = aim?.method;
    facts[start + 8] = aim?.origin;
    facts[start + 9] = aim?.path;
  }

  #read(place: number): Summarized {
    const [time, status, bytesIn, bytesOut, headMs, totalMs] = this.#numbers.subarray(place * NUMBERS);
    const [id, method, selector, target, callerId, error, setting, ...aim] = this.#facts.slice(
      place * FACTS,
      (place + 1) * FACTS,
    );
    const numbers = { time, status, bytesIn, bytesOut, headMs, totalMs };
    const facts = { id, method, selector, target, callerId, error, setting, aim: toAim(aim) };
    return { ...numbers, ...facts } as Summarized;
  }
}

function toAim([method, origin, path]: unknown[]): Aim | undefined {
  return origin === undefined ? undefined : { method, origin, path } as Aim;
}
