/**
 * Interim responses, which a target sends before its response (RFC 9110 §15.2).
 * @module
 */

import type { FieldReader } from "./http/fields.ts";

/** Maximum interim responses passed on for one request: a target that sends more would keep all other requests waiting. */
export const MOST_INTERIMS = 100;
/** A target that sends more for one request floods: each takes as much time as a kilobyte of a body. */
export const FLOODING_INTERIMS = 10_000;
/** Maximum bytes of all of them: a caller that does not read them must not fill the memory. */
export const MOST_INTERIM_BYTES = 65_536;

/**
 * A caller that waits for a 100 before it sends its body (RFC 9110 §10.1.1). Reading the body means that it is wanted.
 *
 * @internal
 */
export interface Continuation {
  /** False once the caller no longer waits. */
  readonly isAwaited: boolean;
  /** Called when the caller sends its body without having received the 100. */
  onBody: (() => void) | undefined;
  /** Called when the caller is told to send its body, for capture. */
  onContinue: (() => void) | undefined;
}

/** The status and headers of an interim response. */
export interface Interim {
  status: number;
  statusText: string;
  headers: FieldReader;
}
