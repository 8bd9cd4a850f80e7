/**
 * The interface of decoders for the framing of a body.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Fields } from "../../core/http/fields.ts";

/** Receives bytes of a body. */
export type Take = (chunk: Uint8Array, isLast: boolean) => void;

/** Extracts the bytes of one body from the bytes of a connection. */
export interface Decoder {
  /** Bytes of the whole body, if the head announces them. */
  readonly length: number | undefined;
  /** True if the whole body has been decoded. */
  readonly isOver: boolean;
  /** The trailers after the body, once it is complete. */
  readonly trailers?: Fields | undefined;
  /** True if the end of the connection ends the body. */
  readonly endsWithConnection: boolean;
  /** Passes the body's bytes on, and returns the bytes after the body. */
  decode(bytes: Buffer, take: Take): Buffer;
}
