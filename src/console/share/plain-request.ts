/**
 * A request as programs in any language send it: type only.
 * @module
 */

/** One request with nothing left to decide. */
export interface PlainRequest {
  method: string;
  /** Absolute, without a fragment. */
  url: string;
  /** In order; names may repeat. Values are Latin-1: one character for each byte. */
  headers: [name: string, value: string][];
  /** Text goes out as UTF-8. Absent if the request has no body. */
  body?: string | Uint8Array;
}
