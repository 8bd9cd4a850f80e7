/**
 * A request as programs in any language send it.
 * @module
 */

/** A request: type only. */
export interface PlainRequest {
  method: string;
  /** Absolute http or https address. */
  url: string;
  /** In the order of the wire; names may repeat. */
  headers: [name: string, value: string][];
  body?: string | Uint8Array;
}
