/**
 * What the inspector gets from the page, and what it shows.
 * @module
 */

import type { Capture } from "../../parts/capture/capture.ts";
import type { TrafficEntry } from "../../parts/console/traffic-message.ts";
import type { PlainRequest } from "../share/languages/request-parts.ts";

/** A row of the list. */
export type InspectedEntry = TrafficEntry & {
  /** The request itself, for one that was read from a file. */
  capture?: Capture;
};

/** The page around the inspector. */
export interface InspectorContext {
  /** The ticket for live traffic. */
  ticket: string | null;
  /** The proxy's own address, without a trailing slash. */
  base: string;
  needsToken: boolean;
  /** Puts a request into the builder; `problem` says what is missing in it, `masked` names its parts. */
  load(request: PlainRequest, problem?: string, masked?: string[]): void;
  /** Sends a request at once. */
  replay(request: PlainRequest): void;
  /** The complete request of a row that this page sent, even if it was not captured. */
  findOwn(entry: InspectedEntry): PlainRequest | undefined;
  /** A request stays in the list, with a note; `undefined` lets it go. */
  pin(key: string, note: string | undefined): void;
  /** The pane was closed: the row gets the focus back. */
  close(): void;
}
