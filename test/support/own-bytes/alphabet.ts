/**
 * Bytes that tell whose they are: every eight of them name their stream and their place in it, so that one which is
 * foreign, missing, repeated or in the wrong place is seen.
 * @module
 */

const DIGITS = Buffer.from("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_");
/** Four digits of the stream, four of the place. */
const UNIT_BYTES = 8;
const SHOWN_BYTES = 24;

/** `size` bytes of a stream, from a place in it. */
export function bytesOf(stream: number, from: number, size: number): Buffer {
  const skipped = from % UNIT_BYTES;
  const count = Math.ceil((skipped + size) / UNIT_BYTES);
  const bytes = Buffer.allocUnsafeSlow(count * UNIT_BYTES);
  const first = (from - skipped) / UNIT_BYTES;
  for (let index = 0; index < count; index += 1) {
    writeDigits(bytes, index * UNIT_BYTES, stream);
    writeDigits(bytes, index * UNIT_BYTES + 4, first + index);
  }
  return bytes.subarray(skipped, skipped + size);
}

function writeDigits(bytes: Buffer, at: number, value: number): void {
  bytes[at] = DIGITS[value >> 18 & 63]!;
  bytes[at + 1] = DIGITS[value >> 12 & 63]!;
  bytes[at + 2] = DIGITS[value >> 6 & 63]!;
  bytes[at + 3] = DIGITS[value & 63]!;
}

/** Reads one stream and says where it is not itself. */
export class StreamReader {
  /** Bytes so far. */
  size = 0;
  readonly #stream: number;
  readonly #onForeign: (text: string) => void;
  #isFaulty = false;

  /** @param onForeign told of the first byte that does not belong there */
  constructor(stream: number, onForeign: (text: string) => void) {
    this.#stream = stream;
    this.#onForeign = onForeign;
  }

  take(bytes: Buffer): void {
    const expected = bytesOf(this.#stream, this.size, bytes.length);
    if (!this.#isFaulty && !bytes.equals(expected)) {
      this.#isFaulty = true;
      const at = bytes.findIndex((byte, index) => byte !== expected[index]);
      const [got, wanted] = [bytes, expected].map((all) => all.toString("latin1", at, at + SHOWN_BYTES));
      this.#onForeign(
        `byte ${this.size + at} of stream ${this.#stream} reads ${JSON.stringify(got)}, expected "${wanted}"`,
      );
    }
    this.size += bytes.length;
  }
}

/** What a head has of a message: `q` for the request, `a` for the answer. */
export function tagOf(message: number, side: "q" | "a"): string {
  return `own-${message}${side}`;
}

/** The tags in a text that are not among its own. */
export function foreignTags(text: string, ...own: string[]): string[] {
  return [...text.matchAll(/own-\d+[qa]/g)].map(([tag]) => tag).filter((tag) => !own.includes(tag));
}
