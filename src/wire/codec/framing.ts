/**
 * Determines how a body is framed, and decodes bodies that are not chunked (RFC 9112 §6).
 * @module
 */

import type { Buffer } from "node:buffer";
import { ChunkedDecoder } from "./chunked-decoder.ts";
import type { Decoder, Take } from "./decoder.ts";
import type { Fields } from "../../core/http/fields.ts";
import { malformed, type ResponseHead } from "./head.ts";
import { part } from "./buffers.ts";

/** A length may have leading zeros, as many as fit in the line (RFC 9110 §8.6). */
const LENGTH = /^0*\d{1,15}$/;

/** How a body is framed: by its length in bytes, in chunks, or by the end of the connection. */
export type Framing = number | "chunked" | "unframed";

/**
 * Determines from the headers of a response how its body is framed.
 *
 * @throws {Error} if the framing is ambiguous
 */
export function readFraming(headers: Fields): Framing {
  const coding = headers.get("transfer-encoding")?.toLowerCase();
  const length = headers.get("content-length");
  // The request asked for no other coding. Having both headers may be an attack (RFC 9112 §11).
  if (coding !== undefined && (coding !== "chunked" || length !== null)) throw malformed("transfer-encoding");
  if (length !== null && !LENGTH.test(length)) throw malformed("content-length");
  if (coding !== undefined) return "chunked";
  return length === null ? "unframed" : Number(length);
}

/** True for a response that has no body, whatever its headers say (RFC 9112 §6.3). */
export function isBodiless({ status }: Pick<ResponseHead, "status">, method: string): boolean {
  return method === "HEAD" || status === 204 || status === 304;
}

/** Makes the decoder for a body. */
export function createDecoder(framing: Framing): Decoder {
  if (framing === "chunked") return new ChunkedDecoder();
  return framing === "unframed" ? new UnframedDecoder() : new LengthDecoder(framing);
}

class LengthDecoder implements Decoder {
  readonly endsWithConnection = false;
  readonly length: number;
  #left: number;

  constructor(length: number) {
    this.length = length;
    this.#left = length;
  }

  get isOver(): boolean {
    return this.#left === 0;
  }

  decode(bytes: Buffer, take: Take): Buffer {
    const size = Math.min(bytes.length, this.#left);
    this.#left -= size;
    if (size > 0) take(part(bytes, 0, size), this.#left === 0);
    return part(bytes, size);
  }
}

class UnframedDecoder implements Decoder {
  readonly length = undefined;
  readonly endsWithConnection = true;
  readonly isOver = false;

  decode(bytes: Buffer, take: Take): Buffer {
    if (bytes.length) take(bytes, false);
    return part(bytes, bytes.length);
  }
}
