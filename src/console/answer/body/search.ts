/**
 * Finds a text in a body, bit by bit, and lets the browser answer its user in between.
 * @module
 */

import { NumberList } from "./number-list.ts";

/** More places are not counted. */
export const MAX_MATCHES = 100_000;
const MATCHES_AT_ONCE = 512;
const WINDOW = 256 * 1_024;

/** What is searched, and how. */
export interface Haystack {
  /** The text; bytes stand in it one to a character, as Windows-1252 has them. */
  text: string;
  kind: "text" | "json" | "bytes";
}

/** One search in a body. */
export class Search {
  readonly #haystack: Haystack;
  readonly #pattern: RegExp;
  #position = 0;
  readonly starts = new NumberList();
  readonly ends = new NumberList();

  constructor(haystack: Haystack, query: string) {
    this.#haystack = haystack;
    this.#pattern = readQuery(query, haystack.kind);
  }

  /** True if there are more places than are counted. */
  get isFull(): boolean {
    return this.starts.length >= MAX_MATCHES;
  }

  /** Searches up to this time of `performance.now()`; true if it is over. */
  advance(deadline: number): boolean {
    const { text } = this.#haystack;
    for (;;) {
      this.#searchWindow(text);
      if (this.isFull || this.#position >= text.length) return true;
      if (performance.now() > deadline) return false;
    }
  }

  /** A text without a match would be searched to its end in one go: so a window of it after the other is. */
  #searchWindow(text: string): void {
    const reach = this.#pattern.source.length + 1_024;
    const from = this.#position;
    const part = text.slice(from, from + WINDOW + reach);
    this.#pattern.lastIndex = 0;
    for (let count = 0; !this.isFull; count += 1) {
      const found = this.#pattern.exec(part);
      if (!found || found.index >= WINDOW) break;
      if (found[0] === "") {
        this.#pattern.lastIndex += 1;
        continue;
      }
      this.starts.push(from + found.index);
      this.ends.push(from + found.index + found[0].length);
      this.#position = from + this.#pattern.lastIndex;
      if (count >= MATCHES_AT_ONCE) return;
    }
    this.#position = Math.max(this.#position, from + WINDOW);
  }
}

/**
 * What a query means: any case, and between the tokens of JSON any blanks; for bytes, pairs of hexadecimal digits are
 * bytes and anything else is text in UTF-8.
 */
function readQuery(query: string, kind: Haystack["kind"]): RegExp {
  if (kind === "bytes") {
    const pairs = /^(?:0x)?(?:[\da-f]{2}\s*)+$/i.test(query) ? query.replace(/^0x|\s/gi, "") : undefined;
    const bytes = pairs
      ? Uint8Array.from(pairs.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
      : new TextEncoder().encode(query);
    return new RegExp(escapeText(readBytes(bytes)), pairs ? "g" : "gi");
  }
  if (kind === "text") return new RegExp(escapeText(query), "gi");
  const parts = query.split(/([{}[\],:])/).map((part, index, all) => {
    const front = index > 0 ? part.trimStart() : part;
    return index < all.length - 1 ? front.trimEnd() : front;
  }).filter((part) => part !== "");
  return new RegExp(parts.map(escapeText).join("\\s*"), "gi");
}

/** Bytes as a text of as many characters. */
export function readBytes(bytes: Uint8Array): string {
  return new TextDecoder("windows-1252").decode(bytes);
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Milliseconds of work between two chances for the browser. */
export const SLICE_MS = 12;

/** Resolves after what the browser has to do; a timer would wait 4 ms each time, and 1 s in a tab behind others. */
export function later(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
