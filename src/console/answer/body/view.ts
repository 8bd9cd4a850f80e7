/**
 * What every view of a body offers.
 * @module
 */

import type { VirtualLines } from "./virtual-lines.ts";
import type { Haystack } from "./search.ts";

/** When the parts of a body arrived, in milliseconds since the request did. */
export interface BodyTimes {
  /** Bytes that had arrived, and when; ascending. */
  arrivals: readonly (readonly [bytes: number, atMs: number])[];
  startMs: number;
  /** When the last byte arrived; absent while it runs. */
  endMs?: number | undefined;
}

/** A body as the views get it: decoded, and growing as long as it runs. */
export interface Content {
  bytes: Uint8Array<ArrayBuffer>;
  /** The media type with its parameters. */
  type: string;
  readText(): string;
  isRunning: boolean;
  /** True once nothing of it is missing and nothing more will come. */
  isWhole: boolean;
  /** When its newest part arrived, in Unix milliseconds; absent if that was not seen. */
  time?: number | undefined;
  /** When its parts arrived; absent if that is not known, as for one that was encoded. */
  times?: BodyTimes | undefined;
}

/** One way to look at a body. */
export interface View {
  readonly element: HTMLElement;
  readonly tools?: readonly HTMLElement[];
  /** Its lines, and what a search reads; absent where nothing can be found. */
  readonly lines?: VirtualLines;
  readHaystack?(): Haystack;
  /** Shows a body, or more of the same one. */
  update(content: Content): void;
  /** The text that is copied; absent where there is none. */
  readAll?(): string;
  /** What there is to say about it; `""` if nothing. */
  readNote?(): string;
  onProgress?: () => void;
}
