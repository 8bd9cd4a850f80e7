/**
 * Searches a text for all spellings of some keys in one pass from left to right. The time is bounded by the length of the
 * text, so nobody can craft a slow one.
 * @module
 */

import {
  BACKSLASH,
  type Branch,
  findChild,
  isLead,
  otherOf,
  PERCENT,
  readHex,
  readPair,
  toLower,
  type Tree,
} from "./spellings.ts";

/** Minimum characters of a key that count as a cut key at the end of a text; fewer give nothing away. */
const LEAST_TOLD = 4;

/** A part of a text that spells a key. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** Partial matches that have reached a position of the text, and where each one started. */
interface Begun {
  readonly branches: Branch[];
  readonly starts: number[];
  /** True if the matches come from several positions, so that the same branch may be listed twice. */
  isMixed: boolean;
}

/** One pass over a text. Follows all spellings at once, and each branch once per position, so its steps are bounded. */
export class Reading {
  readonly #text: string;
  readonly #tree: Tree;
  /** By position: the partial matches that continue there. */
  readonly #ahead = new Map<number, Begun>();
  /** By branch id: the last position where the branch was listed, and its index in that list. */
  readonly #places: Int32Array;
  readonly #indices: Int32Array;
  readonly #spans: Span[] = [];
  /** Start of the latest run of backslashes. */
  #run = 0;

  constructor(text: string, tree: Tree) {
    this.#text = text;
    this.#tree = tree;
    this.#places = new Int32Array(tree.size).fill(-1);
    this.#indices = new Int32Array(tree.size);
  }

  /** @param isCut true if the text is cut at its end, so that more follows elsewhere */
  findSpans(isCut: boolean): Span[] {
    const text = this.#text;
    const { root, starts } = this.#tree;
    const open = isCut ? findOpenEscape(text) : Infinity;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const isStart = starts[code] === true;
      if (!isStart && (this.#ahead.size === 0 || !this.#ahead.has(at))) continue;
      const begun = this.#arrive(at);
      if (at === open) this.#cut(begun);
      if (isStart) {
        begun.branches.push(root);
        begun.starts.push(this.#startOf(at, code));
      }
      if (begun.branches.length > 0) this.#read(at, code, begun);
    }
    if (isCut) this.#cut(this.#arrive(text.length));
    return this.#spans;
  }

  /** The partial matches at this position: each branch once, with its earliest start. */
  #arrive(at: number): Begun {
    const begun = this.#ahead.get(at);
    if (!begun) return { branches: [], starts: [], isMixed: false };
    this.#ahead.delete(at);
    return begun.isMixed ? this.#unite(at, begun) : begun;
  }

  #unite(at: number, { branches, starts }: Begun): Begun {
    const united: Begun = { branches: [], starts: [], isMixed: false };
    for (let index = 0; index < branches.length; index += 1) {
      const branch = branches[index] as Branch;
      const start = starts[index] as number;
      const { id } = branch;
      if (this.#places[id] === at) {
        const known = this.#indices[id] as number;
        united.starts[known] = Math.min(united.starts[known] as number, start);
        continue;
      }
      this.#places[id] = at;
      this.#indices[id] = united.branches.length;
      united.branches.push(branch);
      united.starts.push(start);
    }
    return united;
  }

  /** Start of a match at this position. JSON backslashes before a punctuation character belong to the match. */
  #startOf(at: number, code: number): number {
    const isBehind = this.#text.charCodeAt(at - 1) === BACKSLASH;
    if (code === BACKSLASH && !isBehind) this.#run = at;
    return isBehind && !isAlphanumeric(code) ? this.#run : at;
  }

  /** Continues the matches by everything that the character at this position may stand for. */
  #read(at: number, code: number, begun: Begun): void {
    const text = this.#text;
    this.#goOn(begun, toLower(code), at + 1);
    if (otherOf(code) !== code) this.#goOn(begun, otherOf(code), at + 1);
    if (code === BACKSLASH) this.#readBackslash(at + 1, begun);
    else if (code === PERCENT) this.#readPercent(at + 1, begun);
    else if (isLead(code)) this.#goOn(begun, readPair(code, text.charCodeAt(at + 1)), at + 2);
  }

  /** A backslash may precede any character (RFC 8259 §7), and may itself be escaped again. */
  #readBackslash(end: number, begun: Begun): void {
    if (begun.branches.length > 1 || begun.branches[0] !== this.#tree.root) {
      const there = this.#prepare(end);
      for (let index = 0; index < begun.branches.length; index += 1) {
        const branch = begun.branches[index] as Branch;
        if (branch !== this.#tree.root) this.#reach(branch, begun.starts[index] as number, end, there);
      }
    }
    const isNumbered = (this.#text.charCodeAt(end) | 0x20) === 0x75 && this.#text.startsWith("00", end + 1);
    if (isNumbered) this.#goOn(begun, toLower(readHex(this.#text, end + 3)), end + 5);
  }

  /** `%2f`, `%252f`, `%25252f`: each `%25` on the way may be a percent sign of the key itself. */
  #readPercent(begin: number, begun: Begun): void {
    const text = this.#text;
    let at = begin;
    for (; text.startsWith("25", at); at += 2) this.#goOn(begun, PERCENT, at + 2);
    const code = readHex(text, at);
    this.#goOn(begun, toLower(code), at + 2);
    if (code === BACKSLASH) this.#readBackslash(at + 2, begun);
    if (!isLead(code) || text.charCodeAt(at + 2) !== PERCENT) return;
    let next = at + 3;
    while (text.startsWith("25", next)) next += 2;
    this.#goOn(begun, readPair(code, readHex(text, next)), next + 2);
  }

  #goOn({ branches, starts }: Begun, code: number, end: number): void {
    if (code < 0) return;
    let there: Begun | undefined;
    for (let index = 0; index < branches.length; index += 1) {
      const next = findChild(branches[index] as Branch, code);
      if (next) this.#reach(next, starts[index] as number, end, there ??= this.#prepare(end));
    }
  }

  #prepare(end: number): Begun {
    const known = this.#ahead.get(end);
    if (known) known.isMixed = true;
    const there = known ?? { branches: [], starts: [], isMixed: false };
    if (!known) this.#ahead.set(end, there);
    return there;
  }

  #reach(branch: Branch, start: number, end: number, there: Begun): void {
    if (branch.whole !== undefined) this.#spans.push({ start, end, name: branch.whole });
    if (!branch.child) return;
    there.branches.push(branch);
    there.starts.push(start);
  }

  /** The text is cut here: partial matches count as keys that were cut. */
  #cut({ branches, starts }: Begun): void {
    for (const [index, { depth, name }] of branches.entries()) {
      const start = starts[index] as number;
      if (depth >= LEAST_TOLD) this.#spans.push({ start, end: this.#text.length, name });
    }
  }
}

/** Start of an escape that the end of the text cuts; the length of the text if there is none. */
function findOpenEscape(text: string): number {
  const percent = text.lastIndexOf("%");
  if (percent >= 0 && /^(?:25)*[\da-f]?$/i.test(text.slice(percent + 1))) return percent;
  const backslash = text.lastIndexOf("\\");
  return backslash >= 0 && /^(?:u(?:0(?:0[\da-f]?)?)?)?$/i.test(text.slice(backslash + 1))
    ? backslash
    : text.length;
}

function isAlphanumeric(code: number): boolean {
  const letter = code | 0x20;
  return (code >= 0x30 && code <= 0x39) || (letter >= 0x61 && letter <= 0x7a);
}
