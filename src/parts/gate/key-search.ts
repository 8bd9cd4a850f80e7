/**
 * Finds keys in a text, however they are spelled, and puts their names in their place.
 * @module
 */

import { memoize } from "../../core/http/memo.ts";
import { Reading, type Span } from "./key-reading.ts";
import { growTree, listSpellings, toLower, type Tree } from "./spellings.ts";

/** The spellings of a key, as requests with the same key need them again and again. */
const spell = memoize(listSpellings);

/** Looks for some keys in texts, one character for each byte. */
export class KeySearch {
  readonly #keys: readonly (readonly [name: string, value: string])[];
  readonly #shortest: number;
  /** One of them stands in each text that holds a key, once nothing in it is escaped. */
  readonly #cores: readonly string[];
  #tree: Tree | undefined;

  constructor(keys: ReadonlyMap<string, string>) {
    // A key may begin with another one: the longer first.
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
   * @param isCut true if the text goes on elsewhere: then a key may be cut at its end
   */
  clean(text: string, isCut = false): string {
    if (!isCut && !this.#mayHold(text)) return text;
    this.#tree ??= growTree(
      this.#keys.flatMap(([name, value]) => spell(value).map((one) => [name, one] as const)),
    );
    const spans = new Reading(text, this.#tree).findSpans(isCut);
    return spans.length === 0 ? text : replaceSpans(text, spans);
  }

  /** Most texts hold no key: no more is done for them than this. */
  #mayHold(text: string): boolean {
    if (!this.hasRoom(text)) return false;
    const plain = unescape(text);
    return this.#cores.some((core) => plain.includes(core));
  }
}

/** A percent sign, however often it is encoded, and two digits; the backslashes before any character. */
const ESCAPE = /%(?:25)*([\da-f]{2})|\\+(?:u00([\da-f]{2}))?/g;

/** The text in lower case, and without escapes. */
function unescape(text: string): string {
  const lower = text.toLowerCase();
  if (!lower.includes("%") && !lower.includes("\\")) return lower;
  return lower.replace(ESCAPE, (_, percent: string | undefined, json: string | undefined) => {
    const digits = percent ?? json;
    return digits === undefined ? "" : String.fromCharCode(toLower(parseInt(digits, 16)));
  });
}

/**
 * What is left of a spelling in each text without escapes: its longest part without signs. An escape that began before it
 * may have taken up to four digits and all `25` of its beginning; one within it may be its own. Empty if nothing is certain.
 */
function findCore(spelling: string): string {
  if (/[%\\]/.test(spelling)) return "";
  const taken = [/^(?:25)+/, /^.(?:25)*/s].map((pattern) => pattern.exec(spelling)?.[0].length ?? 0);
  const parts = spelling.slice(Math.max(...taken) + 4).split(/[^a-z0-9]/);
  return parts.reduce((longest, part) => part.length > longest.length ? part : longest);
}

/** All that spells a key goes. Of spellings that overlap, the first one is named. */
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
