/**
 * Searches the bodies of one request, as sent and decoded, and remembers what it found.
 * @module
 */

import type { FieldLine } from "./capture.ts";
import { readCoding } from "./decode-body.ts";

/** Maximum searches whose result is remembered. */
const MOST_SEARCHES = 4;

/** Decodes the bytes of a body to one character for each byte; `undefined` if it does not decode this time. */
export type Decode = (bytes: Uint8Array<ArrayBuffer>, coding: string) => Promise<string | undefined>;

/** A body as one character for each byte, and its head. */
export interface Searched {
  text: string;
  headers: readonly FieldLine[];
}

/** The searches in one request. */
export class DecodedSearch {
  readonly #found = new Map<string, boolean>();

  /**
   * True if a body holds a text.
   *
   * @param isOver true if the bodies change no more, so that the result stays
   */
  async holds(
    sought: string,
    bodies: readonly Searched[],
    decode: Decode,
    isOver: boolean,
  ): Promise<boolean> {
    const known = this.#found.get(sought);
    if (known !== undefined) return known;
    let found = bodies.some(({ text }) => text.includes(sought));
    let isKnown = isOver;
    for (const { text, headers } of bodies) {
      const coding = readCoding(headers);
      if (found || coding === "" || text === "") continue;
      const decoded = await decode(Uint8Array.from(text, (sign) => sign.charCodeAt(0)), coding);
      isKnown &&= decoded !== undefined;
      found = decoded?.includes(sought) ?? false;
    }
    if (this.#found.size >= MOST_SEARCHES) this.#found.clear();
    if (isKnown) this.#found.set(sought, found);
    return found;
  }
}
