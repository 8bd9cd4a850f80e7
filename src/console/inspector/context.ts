/**
 * What the inspector gets from the page, and what it shows.
 * @module
 */

import type { Capture } from "../../parts/capture/capture.ts";
import type { TrafficEntry } from "../../parts/console/traffic-message.ts";
import type { NamedProxy } from "../page/own-requests.ts";
import type { PlainRequest } from "../share/languages/request-parts.ts";

/** A row of the list. */
export type InspectedEntry = TrafficEntry & {
  /** The request itself, for one that was read from a file. */
  capture?: Capture;
};

/** Why there is no more of a request than its row. */
export interface Missing {
  /** `missing`: it is not kept. */
  problem: "missing" | "refused" | "unreachable";
  reason: string;
}

/** The page around the inspector. */
export interface InspectorContext extends NamedProxy {
  ticket: string | null;
  /** Puts a request into the builder; `problem` says what is missing in it, `masked` names its parts. */
  load(request: PlainRequest, problem?: string, masked?: string[]): void;
  replay(request: PlainRequest): void;
  /** The complete request of a row that this page sent, even if it was not captured. */
  findOwn(entry: InspectedEntry): PlainRequest | undefined;
}
