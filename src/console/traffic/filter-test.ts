/**
 * What a term of the filter is: a question about one request.
 * @module
 */

import type { TrafficEntry } from "../../parts/console/traffic-message.ts";

/** What a term is asked about. */
export interface Asked {
  entry: TrafficEntry;
  /** What words are looked for in, in lower case. */
  text: string;
  /** The proxy's clock, in Unix milliseconds. */
  now: number;
  /** Keys of requests whose bodies hold a text, as far as that is known. */
  bodies: ReadonlyMap<string, ReadonlySet<string>>;
}

/** True for a request that is meant. */
export type Test = (asked: Asked) => boolean;
