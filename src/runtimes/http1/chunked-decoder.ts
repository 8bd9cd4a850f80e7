/**
 * Decodes the chunked coding (RFC 9112 §7.1).
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Decoder, Take } from "./decoder.ts";
import { checkFields, malformed } from "./head.ts";
import { JoinedChunks } from "./joined-chunks.ts";
import { part } from "./part.ts";

/** Maximum bytes of all trailers, and of one line of trailers or chunk size. */
const MAX_TRAILER_BYTES = 65_536;
const MAX_LINE_BYTES = 8_192;
/** It may have leading zeros, as many as fit in the line. */
const CHUNK_SIZE = /^0*([\da-f]{1,12})[\t ]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/i;
/** The most digits of a chunk that one read holds. */
const MAX_WHOLE_DIGITS = 6;
const LINE_END_BYTES = 2;

/** One body. Its trailers are checked, and dropped. */
export class ChunkedDecoder implements Decoder {
  readonly length = undefined;
  readonly endsWithConnection = false;
  isOver = false;
  #expects: "size" | "data" | "data end" | "trailer" = "size";
  /** Missing bytes of the current chunk. */
  #left = 0;
  /** The incomplete line. */
  #line = "";
  #trailerBytes = 0;

  decode(bytes: Buffer, take: Take): Buffer {
    const chunks = new JoinedChunks((chunk) => take(chunk, false));
    let at = 0;
    try {
      while (at < bytes.length && !this.isOver) {
        if (this.#expects === "data") at = this.#readData(bytes, at, chunks);
        else at = this.#readWhole(bytes, at, chunks) ?? this.#readLine(bytes, at);
      }
    } finally {
      chunks.flush();
    }
    return part(bytes, at);
  }

  /**
   * Reads a chunk that has arrived with both its lines, as most events do.
   *
   * @returns where it ends; `undefined` for any other, and if something has to be looked at more closely
   */
  #readWhole(bytes: Buffer, start: number, chunks: JoinedChunks): number | undefined {
    if (this.#expects !== "size" || this.#line !== "") return undefined;
    let size = 0;
    let at = start;
    for (let digit; at < start + MAX_WHOLE_DIGITS && (digit = readDigit(bytes[at])) !== undefined; at += 1) {
      size = size * 16 + digit;
    }
    const first = at + LINE_END_BYTES;
    const end = first + size;
    if (size === 0 || !isLineEnd(bytes, at) || !isLineEnd(bytes, end)) return undefined;
    chunks.add(part(bytes, first, end));
    return end + LINE_END_BYTES;
  }

  #readData(bytes: Buffer, start: number, chunks: JoinedChunks): number {
    const end = Math.min(start + this.#left, bytes.length);
    this.#left -= end - start;
    if (this.#left === 0) this.#expects = "data end";
    chunks.add(part(bytes, start, end));
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

/** The value of a hexadecimal digit in ASCII; `undefined` for any other byte, and behind the end. */
function readDigit(byte: number | undefined): number | undefined {
  if (byte === undefined) return undefined;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const small = byte | 0x20;
  return small >= 0x61 && small <= 0x66 ? small - 0x61 + 10 : undefined;
}

function isLineEnd(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0x0d && bytes[at + 1] === 0x0a;
}
