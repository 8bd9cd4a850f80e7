/**
 * The interface of what decodes a body's framing.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Fields } from "../../core/http/fields.ts";

/** Takes bytes of a body. */
export type Take = (chunk: Uint8Array, isLast: boolean) => void;

/** Separates the bytes of a body from those of the connection. */
export interface Decoder {
  /** Bytes of the whole body, if the head announces them. */
  readonly length: number | undefined;
  /** True if the whole body has been decoded. */
  readonly isOver: boolean;
  /** The fields behind the body, once it is over. */
  readonly trailers?: Fields | undefined;
  /** True if the end of the connection ends the body. */
  readonly endsWithConnection: boolean;
  /** Passes the body's bytes on, and returns the bytes after the body. */
  decode(bytes: Buffer, take: Take): Buffer;
}
