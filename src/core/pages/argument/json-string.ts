/**
 * Decodes a JSON string: to UTF-8 bytes for long text that is sent as it is, or to a string for short text.
 * @module
 */

import type { Pace } from "./pace.ts";

const BACKSLASH = 0x5c;
const REPLACEMENT = 0xfffd;
/** The meaning of a letter after a backslash; any other character means itself (RFC 8259 §7). */
const LETTERS: Readonly<Record<number, number>> = { 0x62: 8, 0x66: 12, 0x6e: 10, 0x72: 13, 0x74: 9 };
/** The first byte of a character, without its bits, by the number of bytes after it (RFC 3629 §3). */
const LEADS = [0, 0xc0, 0xe0, 0xf0];
const decoder = new TextDecoder();

/**
 * Decodes to a string.
 *
 * @param written a valid JSON string, with its quotes
 */
export function readString(written: Uint8Array): string {
  return JSON.parse(decoder.decode(written)) as string;
}

/**
 * Decodes to UTF-8, with half a surrogate pair as U+FFFD. The result is never longer than the written string.
 *
 * @param written a valid JSON string, with its quotes; the result may share its memory
 */
export async function unescapeString(
  written: Uint8Array<ArrayBuffer>,
  pace: Pace,
): Promise<Uint8Array<ArrayBuffer>> {
  const plain = written.subarray(1, -1);
  if (!plain.includes(BACKSLASH)) return plain;
  const reader = new EscapeReader(plain);
  await pace.work(plain.length, (_, end) => reader.read(end));
  return reader.finish();
}

/** Scans a string once; it pauses only between two characters. */
class EscapeReader {
  readonly #from: Uint8Array;
  readonly #to: Uint8Array<ArrayBuffer>;
  #at = 0;
  #size = 0;

  constructor(from: Uint8Array) {
    this.#from = from;
    this.#to = new Uint8Array(from.length);
  }

  /** Scans up to a byte, or to the end of the escape that contains it. */
  read(end: number): void {
    const from = this.#from;
    const to = this.#to;
    let at = this.#at;
    let size = this.#size;
    while (at < end) {
      const byte = from[at] as number;
      if (byte !== BACKSLASH) {
        to[size++] = byte;
        at += 1;
        continue;
      }
      const letter = from[at + 1] as number;
      if (letter !== 0x75) {
        to[size++] = LETTERS[letter] ?? letter;
        at += 2;
        continue;
      }
      const code = readCode(from, at);
      at += code > 0xffff ? 12 : 6;
      size = writeCode(to, size, code);
    }
    this.#at = at;
    this.#size = size;
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.#to.subarray(0, this.#size);
  }
}

/** The character of an escape, or of a pair of escapes. */
function readCode(from: Uint8Array, at: number): number {
  const unit = readUnit(from, at);
  if (unit < 0xd800 || unit > 0xdfff) return unit;
  const isPaired = unit < 0xdc00 && from[at + 6] === BACKSLASH && from[at + 7] === 0x75;
  const low = isPaired ? readUnit(from, at + 6) : 0;
  return low >= 0xdc00 && low <= 0xdfff ? (unit - 0xd800 << 10) + (low - 0xdc00) + 0x10000 : REPLACEMENT;
}

function readUnit(from: Uint8Array, at: number): number {
  let unit = 0;
  // The low half of the byte is the value of a digit; for a letter it is the value minus nine.
  for (let index = at + 2; index < at + 6; index += 1) {
    const byte = from[index] as number;
    unit = unit << 4 | (byte & 15) + (byte >> 6) * 9;
  }
  return unit;
}

/** Writes a character in UTF-8 (RFC 3629 §3), and returns the position of the next one. */
function writeCode(to: Uint8Array, at: number, code: number): number {
  if (code < 0x80) {
    to[at] = code;
    return at + 1;
  }
  const tails = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  to[at] = (LEADS[tails] as number) | code >> 6 * tails;
  for (let tail = 1; tail <= tails; tail += 1) to[at + tail] = 0x80 | code >> 6 * (tails - tail) & 0x3f;
  return at + tails + 1;
}
