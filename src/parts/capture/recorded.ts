/**
 * What a recorder works with: types only.
 * @module
 */

import type { KeyGuard } from "./key-guard.ts";
import type { Masker } from "./masker.ts";
import type { Memory } from "./message-log.ts";

/** The facts of a request's record. */
export interface Recorded {
  readonly id: string;
  readonly time: number;
  readonly selector: string | undefined;
  readonly callerId: string | undefined;
  readonly status: number;
  readonly headMs: number;
  readonly totalMs: number;
  readonly error: string | undefined;
  /** The recorder itself, until it is dropped. */
  capture?: unknown;
}

/** What the recorders of a process have in common. */
export interface RecorderContext {
  /** The most bytes of each body; 0 for heads only. */
  readonly bodyBytes: number;
  readonly masker: Masker;
  readonly guard: KeyGuard | undefined;
  memoryOf(id: string): Memory;
}
