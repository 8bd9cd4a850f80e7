/**
 * A text as it arrived, line by line.
 * @module
 */

import { FlatLines, type LineSource, type Piece, showControls } from "./line-source.ts";
import { NumberList } from "./number-list.ts";

const LINES_AT_ONCE = 4_096;

/** The lines of a text. */
export class TextSource extends FlatLines implements LineSource {
  #text = "";
  readonly #starts = new NumberList();
  #scanned = 0;
  widest = 0;

  constructor() {
    super();
    this.#starts.push(0);
  }

  /** Takes the text, which may only have grown at its end. */
  update(text: string): void {
    this.#text = text;
  }

  /** A line break at the end begins no line. */
  get count(): number {
    const { length } = this.#starts;
    return length > 1 && this.#starts.at(length - 1) === this.#scanned ? length - 1 : length;
  }

  width(line: number): number {
    return this.#end(line) - this.#starts.at(line);
  }

  paint(line: number, from: number, to: number): Piece[] {
    const start = this.#starts.at(line);
    const text = this.#text.slice(start + from, Math.min(start + to, this.#end(line)));
    return [{ kind: "", text: showControls(text), at: start + from, length: text.length }];
  }

  find(at: number): { line: number; column: number } {
    const line = this.#starts.lastAtMost(at);
    return { line, column: at - this.#starts.at(line) };
  }

  advance(deadline: number): boolean {
    const text = this.#text;
    for (let found = 1; this.#scanned < text.length; found += 1) {
      const end = text.indexOf("\n", this.#scanned);
      const next = end === -1 ? text.length : end + 1;
      this.#scanned = next;
      this.widest = Math.max(this.widest, next - this.#starts.at(this.#starts.length - 1));
      if (end !== -1) this.#starts.push(next);
      if (found % LINES_AT_ONCE === 0 && performance.now() > deadline) return false;
    }
    return true;
  }

  #end(line: number): number {
    if (line + 1 >= this.#starts.length) return this.#scanned;
    const end = this.#starts.at(line + 1) - 1;
    return end > this.#starts.at(line) && this.#text.charCodeAt(end - 1) === 13 ? end - 1 : end;
  }
}
