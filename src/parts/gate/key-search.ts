/**
 * Finds keys in a text, however they are encoded, and replaces them by their names.
 * @module
 */

import { memoize } from "../../core/http/memo.ts";
import { Reading, type Span } from "./key-reading.ts";
import { growTree, listSpellings, toLower, type Tree } from "./spellings.ts";

/** The spellings of a key; memoized, because many requests carry the same key. */
const spell = memoize(listSpellings);

/** Searches texts, in which each character stands for one byte, for some keys. */
export class KeySearch {
  readonly #keys: readonly (readonly [name: string, value: string])[];
  readonly #shortest: number;
  /** Every text that holds a key contains one of these, once its escapes are resolved. */
  readonly #cores: readonly string[];
  #tree: Tree | undefined;

  constructor(keys: ReadonlyMap<string, string>) {
    // One key may be the beginning of another, so longer keys come first.
    this.#keys = [...keys].filter(([, value]) => value !== "")
      .sort(([, one], [, other]) => other.length - one.length);
    this.#shortest = this.#keys.at(-1)?.[1].length ?? Infinity;
    this.#cores = this.#keys.flatMap(([, value]) => spell(value).map(findCore));
  }

  /** False for a text that is too short for a key: no spelling is shorter than the key. */
  hasRoom(text: string): boolean {
    return text.length >= this.#shortest;
  }

  /**
   * The text with `{{NAME}}` in place of each key.
   *
   * @param isCut true if the text is cut at its end and more follows elsewhere, so that a key may be cut there
   */
  clean(text: string, isCut = false): string {
    if (!isCut && !this.#mayHold(text)) return text;
    this.#tree ??= growTree(
      this.#keys.flatMap(([name, value]) => spell(value).map((one) => [name, one] as const)),
    );
    const spans = new Reading(text, this.#tree).findSpans(isCut);
    return spans.length === 0 ? text : replaceSpans(text, spans);
  }

  /** Quick check that spares most texts the full search, because they hold no key. */
  #mayHold(text: string): boolean {
    if (!this.hasRoom(text)) return false;
    const plain = unescape(text);
    return this.#cores.some((core) => plain.includes(core));
  }
}

/** A percent sign, however often it is encoded, with two hex digits; or backslashes before any character. */
const ESCAPE = /%(?:25)*([\da-f]{2})|\\+(?:u00([\da-f]{2}))?/g;

/** The text in lower case, with its escapes resolved. */
function unescape(text: string): string {
  const lower = text.toLowerCase();
  if (!lower.includes("%") && !lower.includes("\\")) return lower;
  return lower.replace(ESCAPE, (_, percent: string | undefined, json: string | undefined) => {
    const digits = percent ?? json;
    return digits === undefined ? "" : String.fromCharCode(toLower(parseInt(digits, 16)));
  });
}

/**
 * The part of a spelling that is certain to survive `unescape`: its longest run of letters and digits. An escape before the
 * spelling may swallow its leading `25`s and up to four digits. Empty if nothing is certain, as with a `%` or `\` in it.
 */
function findCore(spelling: string): string {
  if (/[%\\]/.test(spelling)) return "";
  const taken = [/^(?:25)+/, /^.(?:25)*/s].map((pattern) => pattern.exec(spelling)?.[0].length ?? 0);
  const parts = spelling.slice(Math.max(...taken) + 4).split(/[^a-z0-9]/);
  return parts.reduce((longest, part) => part.length > longest.length ? part : longest);
}

/** Replaces every span. Of spans that overlap, only the name of the first is written. */
function replaceSpans(text: string, spans: Span[]): string {
  spans.sort((one, other) => one.start - other.start || other.end - one.end);
  let left = "";
  let read = 0;
  let named = 0;
  for (const { start, end, name } of spans) {
    if (start >= named) {
      left += `${text.slice(read, start)}{{${name}}}`;
      named = end;
    }
    read = Math.max(read, end);
  }
  return left + text.slice(read);
}
