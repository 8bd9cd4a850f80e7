/**
 * Reads JSON text bit by bit and notes where the lines of its indented form begin.
 * @module
 * @see RFC 8259
 */

import { NumberList } from "./number-list.ts";

type Next = "top" | "value" | "value or ]" | "name" | "name or }" | ":" | ", or ]" | ", or }";

const TOKENS_AT_ONCE = 1_024;
const SCALAR = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null)$/;
const EXPECTED: Readonly<Record<Next, string>> = {
  "top": "a value",
  "value": "a value",
  "value or ]": "a value or ]",
  "name": "a name in double quotes",
  "name or }": "a name in double quotes or }",
  ":": "a colon",
  ", or ]": "a comma or ]",
  ", or }": "a comma or }",
};

/** A reader. It goes on where it stopped when more has arrived. */
export class JsonReader {
  text = "";
  position = 0;
  /** For each line: where it begins, how deep it is, the last line of its block or 0, its characters without indentation. */
  readonly starts = new NumberList();
  readonly levels = new NumberList();
  readonly ends = new NumberList();
  readonly widths = new NumberList();
  widest = 0;
  fault: { at: number; expected: string } | undefined;
  /** The lines of the open brackets, and whether each is an object's. */
  readonly #open: { line: number; isObject: boolean }[] = [];
  #next: Next = "top";
  #isOver = false;
  #stringFrom = 0;

  /** Takes the text, which may only have grown at its end. */
  update(text: string, isOver: boolean): void {
    this.text = text;
    this.#isOver = isOver;
  }

  /** Reads up to this time; true if there is no more to read for now. */
  advance(deadline: number): boolean {
    for (let count = 1; !this.fault; count += 1) {
      if (!this.#skipBlanks()) return this.#isOver && this.#next !== "top" ? !this.#refuse() : true;
      if (!this.#readToken(this.text.charCodeAt(this.position))) return true;
      if (count % TOKENS_AT_ONCE === 0 && performance.now() > deadline) return false;
    }
    return true;
  }

  /** False at the end of the text. */
  #skipBlanks(): boolean {
    const { text } = this;
    let at = this.position;
    for (let code = text.charCodeAt(at); code <= 32 || code === 0xfeff; code = text.charCodeAt(at)) at += 1;
    this.position = at;
    return at < text.length;
  }

  /** False if the token is not complete, or wrong. */
  #readToken(code: number): boolean {
    const next = this.#next;
    if (code === 44) {
      return next === ", or ]"
        ? this.#mark("value")
        : next === ", or }"
        ? this.#mark("name")
        : this.#refuse();
    }
    if (code === 58) return next === ":" ? this.#mark("value", 2) : this.#refuse();
    if (code === 125) return next === ", or }" || next === "name or }" ? this.#close() : this.#refuse();
    if (code === 93) return next === ", or ]" || next === "value or ]" ? this.#close() : this.#refuse();
    const end = this.#endOfValue(code);
    if (end === undefined) return this.#isOver ? this.#refuse() : false;
    if (next === "name" || next === "name or }") {
      if (code !== 34) return this.#refuse();
      this.#begin();
      return this.#take(end, ":");
    }
    if (next !== "value" && next !== "value or ]" && next !== "top") return this.#refuse();
    // A member's value stands behind its name.
    if (this.#open.at(-1)?.isObject !== true) this.#begin();
    if (code === 123 || code === 91) {
      this.#open.push({ line: this.starts.length - 1, isObject: code === 123 });
      return this.#take(end, code === 123 ? "name or }" : "value or ]");
    }
    return this.#take(end, this.#afterValue());
  }

  /** The end of what begins here; `undefined` if it is not complete or no value. */
  #endOfValue(code: number): number | undefined {
    const { text, position } = this;
    if (code === 123 || code === 91) return position + 1;
    if (code === 34) return this.#endOfString();
    let end = position;
    while (isOfWord(text.charCodeAt(end))) end += 1;
    // At the end of what has arrived, more of it may follow.
    if (end === text.length && !this.#isOver) return undefined;
    if (!SCALAR.test(text.slice(position, end))) this.#refuse();
    return this.fault ? undefined : end;
  }

  #endOfString(): number | undefined {
    const from = this.position + 1;
    const end = endOfString(this.text, from, Math.max(from, this.#stringFrom));
    if (end === undefined) this.#stringFrom = this.text.length;
    return end;
  }

  #mark(next: Next, width = 1): boolean {
    return this.#take(this.position + 1, next, width);
  }

  #close(): boolean {
    const opened = this.#open.pop();
    if (this.#next === ", or ]" || this.#next === ", or }") {
      this.#begin();
      this.ends.set(opened?.line ?? 0, this.starts.length - 1);
    }
    return this.#take(this.position + 1, this.#afterValue());
  }

  #begin(): void {
    this.starts.push(this.position);
    this.levels.push(this.#open.length);
    this.ends.push(0);
    this.widths.push(0);
  }

  #take(end: number, next: Next, width: number = end - this.position): boolean {
    const line = this.starts.length - 1;
    const wide = this.widths.at(line) + width;
    this.widths.set(line, wide);
    this.widest = Math.max(this.widest, wide + 2 * Math.min(this.levels.at(line), 32));
    this.position = end;
    this.#next = next;
    return true;
  }

  #afterValue(): Next {
    const opened = this.#open.at(-1);
    return opened ? (opened.isObject ? ", or }" : ", or ]") : "top";
  }

  #refuse(): boolean {
    this.fault ??= { at: this.position, expected: EXPECTED[this.#next] };
    return false;
  }
}

/** The end of a string that begins at `from`, searched from `at` on; `undefined` if it has none. */
export function endOfString(text: string, from: number, at: number = from): number | undefined {
  for (let quote = text.indexOf('"', at); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (quote - backslashes > from && text.charCodeAt(quote - 1 - backslashes) === 92) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return undefined;
}

/** True for what numbers and literals are made of: letters, digits, `+`, `-`, `.`. */
function isOfWord(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90) ||
    code === 43 ||
    code === 45 || code === 46;
}
