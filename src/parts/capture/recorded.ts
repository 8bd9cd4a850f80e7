/**
 * Types that a recorder works with.
 * @module
 */

import type { Aim } from "../../core/exchange/record.ts";
import type { KeyGuard } from "./key-guard.ts";
import type { Masker } from "./masker.ts";
import type { Memory } from "./message-log.ts";

/** The facts of a request's record. */
export interface Recorded {
  readonly id: string;
  readonly time: number;
  readonly selector: string | undefined;
  readonly callerId: string | undefined;
  /** The request to the target. */
  readonly aim: Aim | undefined;
  readonly status: number;
  readonly headMs: number;
  readonly totalMs: number;
  readonly error: string | undefined;
  /** The recorder itself, until it is dropped. */
  capture?: unknown;
}

/** What a recorder gets from its process. */
export interface RecorderContext {
  /** Maximum bytes of each body; 0 for heads only. */
  readonly bodyBytes: number;
  readonly masker: Masker;
  readonly guard: KeyGuard | undefined;
  memoryOf(id: string): Memory;
  /** Numbers a connection to a target. */
  numberOf(connection: object): string;
}
