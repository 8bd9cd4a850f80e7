/**
 * The facts of ended requests, without their records.
 *
 * A garbage collector has to trace live records, and stops all requests meanwhile. So the facts are kept in two arrays
 * that are reused.
 * @module
 */

import { copyText } from "../../core/http/memo.ts";
import type { Summarized, TrafficRecord } from "./traffic-message.ts";

/** How many numbers, and how many other facts, are kept of a record. */
const NUMBERS = 6;
const FACTS = 10;

/** Numbered places, each for the facts of one record. */
export class TrafficFacts {
  readonly #numbers: Float64Array;
  readonly #facts: unknown[];

  constructor(places: number) {
    this.#numbers = new Float64Array(places * NUMBERS);
    this.#facts = new Array(places * FACTS);
  }

  /** Replaces the facts at a place by those of a record. Unrolled, because it runs for each request. */
  put(place: number, record: TrafficRecord): void {
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
    facts[start + 1] = copyText(record.method);
    facts[start + 2] = record.selector;
    facts[start + 3] = record.target;
    facts[start + 4] = record.callerId;
    facts[start + 5] = record.error;
    facts[start + 6] = record.setting;
    facts[start + 7] = aim && copyText(aim.method);
    facts[start + 8] = aim?.origin;
    facts[start + 9] = aim && copyText(aim.path);
  }

  /** The facts that `put` stored, in the same order. */
  get(place: number): Summarized {
    const [time, status, bytesIn, bytesOut, headMs, totalMs] = this.#numbers.subarray(place * NUMBERS);
    const start = place * FACTS;
    const facts = this.#facts.slice(start, start + FACTS);
    const [id, method, selector, target, callerId, error, setting, sent, origin, path] = facts;
    return {
      id,
      time,
      method,
      selector,
      target,
      callerId,
      status,
      bytesIn,
      bytesOut,
      headMs,
      totalMs,
      error,
      setting,
      aim: origin && { method: sent, origin, path },
    } as Summarized;
  }
}
