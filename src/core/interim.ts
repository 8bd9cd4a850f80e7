/**
 * What is said before a response (RFC 9110 §15.2).
 * @module
 */

import type { FieldReader } from "./http/fields.ts";

/** So many interim responses to one request are passed on: one that says more would keep all others waiting. */
export const MOST_INTERIMS = 100;
/** So many bytes of them: a caller that does not read them must not fill the memory. */
export const MOST_INTERIM_BYTES = 65_536;

/**
 * A caller that waits for a 100 before it sends its body (RFC 9110 §10.1.1). The body says that it is wanted by being read.
 *
 * @internal
 */
export interface Continuation {
  /** False once it waits no more. */
  readonly isAwaited: boolean;
  /** Called when the caller sends its body all the same. */
  onBody: (() => void) | undefined;
  /** Called when the caller is told to send it, for capture. */
  onContinue: (() => void) | undefined;
}

/** The head of an interim response. */
export interface Interim {
  status: number;
  statusText: string;
  headers: FieldReader;
}
