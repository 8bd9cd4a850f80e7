/**
 * Decodes the framing of a response body (RFC 9112 §6 and §7).
 * @module
 */

import type { Buffer } from "node:buffer";
import { type AnswerHead, checkFields, malformed } from "./head.ts";

/** Trailers together, and a line of them or of a chunk's size, may have this many bytes. */
const MAX_TRAILER_BYTES = 65_536;
const MAX_LINE_BYTES = 8_192;
// Zeros may stand before both, as many as the line has room for (RFC 9110 §8.6, RFC 9112 §7.1).
const CHUNK_SIZE = /^0*([\da-f]{1,12})[\t ]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/i;
const LENGTH = /^0*\d{1,15}$/;

type Take = (chunk: Uint8Array, isLast: boolean) => void;

/** Takes the bytes of a body off a connection. */
export interface Decoder {
  /** Bytes of the whole body, where the head says so. */
  readonly length: number | undefined;
  /** All of it was there. */
  readonly isOver: boolean;
  /** True where the end of the connection is the end of the body. */
  readonly endsWithConnection: boolean;
  /** Hands the body's bytes on, uncopied, and gives those that come after it. */
  decode(bytes: Buffer, take: Take): Buffer;
}

/**
 * The decoder for the body of an answer; one of length 0 where it has none.
 *
 * @throws {Error} where its framing can be read in two ways
 */
export function createDecoder({ status, headers }: AnswerHead, method: string): Decoder {
  const coding = headers.get("transfer-encoding")?.toLowerCase();
  const length = headers.get("content-length");
  // No other coding was asked for. Where two fields speak of one length, an attacker may be behind it (RFC 9112 §11).
  if (coding !== undefined && (coding !== "chunked" || length !== null)) throw malformed("transfer-encoding");
  if (length !== null && !LENGTH.test(length)) throw malformed("content-length");
  if (method === "HEAD" || status === 204 || status === 304) return new LengthDecoder(0);
  if (coding !== undefined) return new ChunkedDecoder();
  return length === null ? new UnframedDecoder() : new LengthDecoder(Number(length));
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
    const own = bytes.length > this.#left ? bytes.subarray(0, this.#left) : bytes;
    this.#left -= own.length;
    if (own.length) take(own, this.#left === 0);
    return bytes.subarray(own.length);
  }
}

class UnframedDecoder implements Decoder {
  readonly length = undefined;
  readonly endsWithConnection = true;
  readonly isOver = false;

  decode(bytes: Buffer, take: Take): Buffer {
    if (bytes.length) take(bytes, false);
    return bytes.subarray(bytes.length);
  }
}

class ChunkedDecoder implements Decoder {
  readonly length = undefined;
  readonly endsWithConnection = false;
  isOver = false;
  #expects: "size" | "data" | "data end" | "trailer" = "size";
  /** Bytes of the chunk that are still to come. */
  #left = 0;
  /** A line so far. */
  #line = "";
  #trailerBytes = 0;

  decode(bytes: Buffer, take: Take): Buffer {
    let at = 0;
    while (at < bytes.length && !this.isOver) {
      at = this.#expects === "data" ? this.#readData(bytes, at, take) : this.#readLine(bytes, at);
    }
    return bytes.subarray(at);
  }

  #readData(bytes: Buffer, start: number, take: Take): number {
    const end = Math.min(start + this.#left, bytes.length);
    this.#left -= end - start;
    if (this.#left === 0) this.#expects = "data end";
    take(bytes.subarray(start, end), false);
    return end;
  }

  #readLine(bytes: Buffer, start: number): number {
    const feed = bytes.indexOf(10, start);
    const end = feed < 0 ? bytes.length : feed + 1;
    this.#line += bytes.toString("latin1", start, end);
    if (this.#line.length > MAX_LINE_BYTES) throw malformed("chunk");
    if (feed < 0) return end;
    if (!this.#line.endsWith("\r\n")) throw malformed("chunk");
    this.#takeLine(this.#line.slice(0, -2));
    this.#line = "";
    return end;
  }

  #takeLine(line: string): void {
    if (this.#expects === "trailer") {
      this.#trailerBytes += line.length;
      if (this.#trailerBytes > MAX_TRAILER_BYTES) throw malformed("trailers");
      checkFields(line);
      this.isOver = line === "";
    } else if (this.#expects === "data end") {
      if (line !== "") throw malformed("chunk");
      this.#expects = "size";
    } else {
      const [, size] = CHUNK_SIZE.exec(line) ?? [];
      if (size === undefined) throw malformed("chunk size");
      this.#left = parseInt(size, 16);
      this.#expects = this.#left ? "data" : "trailer";
    }
  }
}
