/**
 * What is said before a response (RFC 9110 §15.2): types only.
 * @module
 */

import type { FieldReader } from "../http/fields.ts";

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
}

/** The head of an interim response. */
export interface Interim {
  status: number;
  statusText: string;
  headers: FieldReader;
}
