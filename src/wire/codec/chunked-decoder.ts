/**
 * Decodes the chunked coding (RFC 9112 §7.1).
 * @module
 */

import { Buffer } from "node:buffer";
import type { Decoder, Take } from "./decoder.ts";
import type { Fields } from "../../core/http/fields.ts";
import { isToken } from "../../core/http/headers.ts";
import { MAX_TRAILER_BYTES, MAX_TRAILERS } from "../../core/http/trailers.ts";
import { checkFields, malformed, readFields } from "./head.ts";
import { JoinedChunks } from "./joined-chunks.ts";
import { part } from "./buffers.ts";

/** Maximum bytes of one line of trailers or chunk size. */
const MAX_LINE_BYTES = 8_192;
/** A size may have leading zeros, as many as fit in the line, and extensions without white space (as in llhttp). */
const CHUNK_SIZE = /^0*(?:[1-9a-f][\da-f]{0,11})?(?=$|;)/i;
const LINE_END_BYTES = 2;

/** Decodes one body and its trailers. */
export class ChunkedDecoder implements Decoder {
  readonly length = undefined;
  readonly endsWithConnection = false;
  isOver = false;
  trailers: Fields | undefined;
  #expects: "size" | "data" | "data end" | "trailer" = "size";
  /** Missing bytes of the current chunk. */
  #left = 0;
  /** The incomplete line. */
  #line = "";
  #trailers = 0;
  #trailerLines = "";

  decode(bytes: Buffer, take: Take): Buffer {
    const chunks = new JoinedChunks(bytes, take);
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
   * Reads a chunk that has arrived whole, as most do. Parses it byte by byte: one read may contain a hundred thousand.
   *
   * @returns where the chunk ends; `undefined` for an incomplete or unusual chunk, which `#readLine` must examine
   */
  #readWhole(bytes: Buffer, start: number, chunks: JoinedChunks): number | undefined {
    if (this.#expects !== "size" || this.#line !== "") return undefined;
    let at = start;
    let size = 0;
    for (let digit; (digit = readDigit(bytes[at])) !== undefined; at += 1) size = size * 16 + digit;
    at = skipExtensions(bytes, at);
    const first = at + LINE_END_BYTES;
    const end = first + size;
    const isShort = first - start <= MAX_LINE_BYTES;
    if (size === 0 || !isShort || !isLineEnd(bytes, at) || !isLineEnd(bytes, end)) return undefined;
    chunks.add(first, end);
    return end + LINE_END_BYTES;
  }

  #readData(bytes: Buffer, start: number, chunks: JoinedChunks): number {
    const end = Math.min(start + this.#left, bytes.length);
    this.#left -= end - start;
    if (this.#left === 0) this.#expects = "data end";
    chunks.add(start, end);
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
      // The empty line that ends the trailers does not count as one.
      if (line !== "") this.#trailers += 1;
      if (this.#trailers > MAX_TRAILERS || this.#trailerLines.length + line.length > MAX_TRAILER_BYTES) {
        throw malformed("trailers");
      }
      checkFields(line);
      this.isOver = line === "";
      if (!this.isOver) this.#trailerLines += `${line}\r\n`;
      else if (this.#trailerLines !== "") this.trailers = readFields(this.#trailerLines);
    } else if (this.#expects === "data end") {
      if (line !== "") throw malformed("chunk");
      this.#expects = "size";
    } else {
      const [size = ""] = CHUNK_SIZE.exec(line) ?? [];
      const isWhole = skipExtensions(Buffer.from(line, "latin1"), size.length) === line.length;
      if (size === "" || !isWhole) throw malformed("chunk size");
      this.#left = parseInt(size, 16);
      this.#expects = this.#left ? "data" : "trailer";
    }
  }
}

/** The value of a hexadecimal digit in ASCII; `undefined` for any other byte, and past the end. */
function readDigit(byte: number | undefined): number | undefined {
  if (byte === undefined) return undefined;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const small = byte | 0x20;
  return small >= 0x61 && small <= 0x66 ? small - 0x61 + 10 : undefined;
}

/** Returns where the extensions of a chunk end; each has a name and an optional value (RFC 9112 §7.1.1). */
function skipExtensions(bytes: Buffer, start: number): number {
  let at = start;
  while (bytes[at] === 0x3b) {
    const name = at + 1;
    const nameEnd = skipToken(bytes, name);
    if (nameEnd === name) return at;
    at = nameEnd;
    if (bytes[at] !== 0x3d) continue;
    const value = at + 1;
    const valueEnd = bytes[value] === 0x22 ? skipQuoted(bytes, value) : skipToken(bytes, value);
    if (valueEnd === value) return at;
    at = valueEnd;
  }
  return at;
}

/** 1 for each byte that a token may contain, 0 for all others (RFC 9110 §5.6.2). */
const TOKEN = Uint8Array.from(
  { length: 256 },
  (_, byte) => Number(isToken(String.fromCharCode(byte))),
);

function skipToken(bytes: Buffer, start: number): number {
  let at = start;
  while (TOKEN[bytes[at] ?? 0] === 1) at += 1;
  return at;
}

/** Returns where a quoted string ends (RFC 9110 §5.6.4); its start if it is unterminated or malformed. */
function skipQuoted(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (isText(bytes[at]) && bytes[at] !== 0x22) at += bytes[at] === 0x5c && isText(bytes[at + 1]) ? 2 : 1;
  return bytes[at] === 0x22 ? at + 1 : start;
}

function isText(byte: number | undefined): boolean {
  return byte !== undefined && (byte === 0x09 || (byte >= 0x20 && byte !== 0x7f));
}

function isLineEnd(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0x0d && bytes[at + 1] === 0x0a;
}
