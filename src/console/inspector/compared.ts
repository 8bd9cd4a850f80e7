/**
 * Which request another one is compared with: one that was marked, or the one that it was made from.
 * @module
 */

import type { Capture } from "../../parts/capture/capture.ts";
import { requestOf } from "./captured.ts";

/** A request of a comparison. */
export interface Compared {
  capture: Capture;
}

/** Maximum number of requests that are remembered as originals. */
const MOST = 50;

/** The requests of one page that others are compared with. */
export class Comparisons {
  marked: Compared | undefined;
  #originals: Compared[] = [];

  /** Remembers a request that is sent again, as it is or changed. */
  repeat(original: Compared): void {
    this.#originals = [...this.#originals.slice(1 - MOST), original];
  }

  /** What a request may be compared with; for one that this page sent, the latest before it that went to the same path. */
  list(capture: Capture): [name: "marked" | "original", other: Compared][] {
    const { marked } = this;
    const original = capture.isOwn &&
      this.#originals.findLast((other) =>
        other.capture.id !== capture.id && other.capture.time <= capture.time &&
        placeOf(other.capture) === placeOf(capture)
      );
    return [
      ...marked && marked.capture.id !== capture.id ? [["marked", marked] as ["marked", Compared]] : [],
      ...original ? [["original", original] as ["original", Compared]] : [],
    ];
  }
}

function placeOf(capture: Capture): string {
  return requestOf(capture).url.split("?", 1)[0] ?? "";
}

/** Those of this page. */
export const comparisons: Comparisons = new Comparisons();
