/**
 * Which request another one is compared with: one that was marked, or the one that it was made from.
 * @module
 */

import type { Capture } from "../../parts/capture/capture.ts";
import { requestOf } from "./captured.ts";

/** Maximum number of requests that are remembered as originals. */
const MOST = 50;

/** The requests of one page that others are compared with. */
export class Comparisons {
  marked: Capture | undefined;
  #originals: Capture[] = [];

  /** Remembers a request that is sent again, as it is or changed. */
  repeat(original: Capture): void {
    this.#originals = [...this.#originals.slice(1 - MOST), original];
  }

  /** What a request may be compared with; for one that this page sent, the latest before it that went to the same path. */
  list(capture: Capture): [name: "marked" | "original", other: Capture][] {
    const { marked } = this;
    const original = capture.isOwn &&
      this.#originals.findLast((other) =>
        other.id !== capture.id && other.time <= capture.time && placeOf(other) === placeOf(capture)
      );
    return [
      ...marked && marked.id !== capture.id ? [["marked", marked] as ["marked", Capture]] : [],
      ...original ? [["original", original] as ["original", Capture]] : [],
    ];
  }
}

function placeOf(capture: Capture): string {
  return requestOf(capture).url.split("?", 1)[0] ?? "";
}

/** Those of this page. */
export const comparisons: Comparisons = new Comparisons();
