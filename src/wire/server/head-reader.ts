/**
 * Reads the heads of the requests on one connection, and keeps the bytes that arrive ahead of their turn.
 *
 * Many clients repeat the same field lines, so lines that arrived twice in a row are kept, byte for byte, and not parsed again.
 * Where they differ in free values alone, their shape is kept; of other lines nothing but their text.
 * @module
 */

import { Buffer } from "node:buffer";
import type { Fields } from "../../core/http/fields.ts";
import { Block } from "../codec/block.ts";
import { HEAD_END, USUAL_HEAD_BYTES } from "../codec/head.ts";
import { ownCopy, part } from "../codec/buffers.ts";
import { findShape, type HeadShape, readShape } from "./head-shape.ts";
import {
  createHead,
  keepFields,
  malformed,
  parseLine,
  parseRequestHead,
  type RequestHead,
  tooLarge,
} from "./request-head.ts";

/** Maximum bytes of a head: enough for all that a browser may send, 180 cookies of 4 KB. The core applies its own limits. */
const MAX_HEAD_BYTES = 1_048_576;
/** Once this many bytes are ahead, nothing more is read. */
const MAX_AHEAD_BYTES = 65_536;
const CARRIAGE_RETURN = 13;
const LINE_FEED = 10;
/** The range of a method's first byte: no control byte, and within ASCII. */
const LEAST_FIRST = 33;
const MOST_FIRST = 126;

/** A head, and the bytes after it. */
export interface ReadRequest {
  readonly head: RequestHead;
  readonly rest: Buffer;
}

/** Collects and reads one head after another. */
export class HeadReader {
  #block: Block | undefined;
  /** Offset from which to search the collected bytes for the end of the head. */
  #from = 0;
  /** The field lines of the last head; not those of a long head, so that idle connections hold little. */
  #last = "";
  /** The text of the last head's shape. */
  #lastShape: string | undefined;
  /** The shape that arrived twice; a connection keeps either this or the lines below. */
  #shape: HeadShape | undefined;
  /** Field lines that arrived twice, and their bytes. */
  #kept: KeptLines | undefined;

  /** True while part of a head waits for the rest. Half of an empty line is none. */
  get hasBegun(): boolean {
    return this.#block !== undefined && this.#block.bytes[0] !== CARRIAGE_RETURN;
  }

  /**
   * Takes bytes.
   *
   * @returns the head and the bytes after it; `undefined` while the head is incomplete
   * @throws {ProxyError} `bad_request` or `fields_too_large`
   */
  read(received: Buffer): ReadRequest | undefined {
    // Only before collecting: with each further piece, the search would start from the beginning of the head again.
    const again = this.#block ? undefined : this.#readAgain(skipEmptyLines(received));
    return again ?? this.#readAnew(skipEmptyLines(this.#collect(received)));
  }

  /** Reads a head whose field lines equal the kept ones. Only its request line is parsed. */
  #readAgain(bytes: Buffer): ReadRequest | undefined {
    const kept = this.#kept;
    if (!kept) return undefined;
    const at = bytes.indexOf(LINE_FEED) + 1;
    const end = at + kept.bytes.length;
    const isSame = at > 1 && bytes[at - 2] === CARRIAGE_RETURN && end <= bytes.length &&
      end <= MAX_HEAD_BYTES && kept.bytes.compare(bytes, at, end) === 0;
    if (!isSame) return undefined;
    const line = bytes.toString("latin1", 0, at - 2);
    return { head: createHead(parseLine(line), kept.headers, kept.fieldLines), rest: part(bytes, end) };
  }

  #readAnew(bytes: Buffer): ReadRequest | undefined {
    const end = bytes.indexOf(HEAD_END, this.#from, "latin1");
    if (end > MAX_HEAD_BYTES || (end < 0 && bytes.length > MAX_HEAD_BYTES)) throw tooLarge();
    if (end < 0) return void this.#keep(bytes);
    this.#block = undefined;
    this.#from = 0;
    const size = end + HEAD_END.length;
    const head = parseRequestHead(bytes.toString("latin1", 0, end), this.#shape);
    this.#note(head, bytes, size);
    return { head, rest: part(bytes, size) };
  }

  /** Keeps field lines that arrived twice in a row, or their shape, unless the head is long. */
  #note({ fieldLines, headers }: RequestHead, bytes: Buffer, size: number): void {
    if (headers.shape) return;
    const last = this.#last;
    this.#last = size <= USUAL_HEAD_BYTES ? fieldLines : "";
    // Nothing is known of a first head, which often is the only one.
    if (last === "" || this.#last === "") return;
    if (last !== fieldLines) return this.#noteShape(fieldLines, headers);
    const start = size - HEAD_END.length - fieldLines.length;
    this.#shape = undefined;
    this.#kept = {
      headers: keepFields(fieldLines),
      fieldLines,
      bytes: ownCopy(bytes.subarray(start, size)),
    };
  }

  #noteShape(fieldLines: string, headers: Fields): void {
    const shape = readShape(fieldLines, headers);
    if (shape !== undefined && shape === this.#lastShape) {
      this.#shape = findShape(shape);
      this.#kept = undefined;
    }
    this.#lastShape = shape;
  }

  #collect(received: Buffer): Buffer {
    if (!this.#block) return received;
    this.#block.add(received, 0, received.length, 0);
    return this.#block.bytes;
  }

  #keep(bytes: Buffer): void {
    const { length } = bytes;
    if (length > 0) checkBeginning(bytes, this.#from);
    // Empty lines before a head are not kept, however many arrive.
    if (!this.#block || length < this.#block.size) {
      this.#block = length > 0 ? new Block() : undefined;
      this.#block?.add(bytes, 0, length, 0);
    }
    this.#from = Math.max(0, length - HEAD_END.length + 1);
  }
}

/** Field lines that arrived twice; `bytes` are as received, with the empty line that ends them. */
interface KeptLines extends Pick<RequestHead, "headers" | "fieldLines"> {
  readonly bytes: Buffer;
}

/** Empty lines before a request are ignored (RFC 9112 §2.2). */
function skipEmptyLines(bytes: Buffer): Buffer {
  let at = 0;
  while (bytes[at] === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED) at += 2;
  return part(bytes, at);
}

/** Refuses at once bytes that can't become a head: another protocol, such as TLS, or a line that ends with a bare LF. */
function checkBeginning(bytes: Buffer, from: number): void {
  const first = bytes[0]!;
  const isLineEnd = first === CARRIAGE_RETURN && bytes.length === 1;
  if (!isLineEnd && (first < LEAST_FIRST || first > MOST_FIRST)) throw malformed("the request line");
  for (let at = bytes.indexOf(LINE_FEED, from); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
    if (bytes[at - 1] !== CARRIAGE_RETURN) throw malformed("a line");
  }
}

/** Bytes that arrive after a request, before it has been answered. */
export class BytesAhead {
  /** The unread rest of bytes that were taken; it precedes the bytes in the block. */
  #rest: Buffer | undefined;
  #block: Block | undefined;

  get isEmpty(): boolean {
    return !this.#rest && !this.#block;
  }

  /**
   * Adds bytes.
   *
   * @param isOwn true for the end of bytes that `take` returned: it comes first, and short requests are copied only once
   * @returns true if reading should pause
   */
  keep(bytes: Buffer, isOwn: boolean): boolean {
    if (isOwn) this.#rest = bytes;
    else (this.#block ??= new Block()).add(bytes, 0, bytes.length, 0);
    return (this.#rest?.length ?? 0) + (this.#block?.size ?? 0) >= MAX_AHEAD_BYTES;
  }

  /** Removes and returns all bytes; `undefined` if there are none. */
  takeAll(): Buffer | undefined {
    const first = this.take();
    const second = this.take();
    return first && second ? Buffer.concat([first, second]) : first;
  }

  /** Removes and returns the first bytes; `undefined` if there are none. */
  take(): Buffer | undefined {
    const bytes = this.#rest ?? this.#block?.bytes;
    if (!this.#rest) this.#block = undefined;
    this.#rest = undefined;
    return bytes;
  }
}
