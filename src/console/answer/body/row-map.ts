/**
 * Which rows a view has, and where they stand: folded blocks take one line, and long lines are broken into rows of the
 * same height.
 * @module
 */

import type { LineSource } from "./line-source.ts";
import { NumberList } from "./number-list.ts";

/** A row: a part of a line. */
export interface Row {
  line: number;
  /** 0 for the first row of the line. */
  part: number;
}

/** The rows of a source. */
export class RowMap {
  readonly #source: LineSource;
  readonly #folded = new Set<number>();
  /** The lines in view and the row of each; empty while every line is one row. */
  readonly #lines = new NumberList();
  readonly #rows = new NumberList();
  #isPlain = true;
  columns = 100;
  count = 0;

  constructor(source: LineSource) {
    this.#source = source;
  }

  /** Counts anew: after lines were found, blocks folded or the width changed. */
  refresh(): void {
    const { count, widest } = this.#source;
    this.#lines.clear();
    this.#rows.clear();
    this.#isPlain = this.#folded.size === 0 && widest <= this.columns;
    this.count = this.#isPlain ? count : this.#list(count);
  }

  locate(row: number): Row {
    if (this.#isPlain) return { line: row, part: 0 };
    const index = this.#rows.lastAtMost(row);
    return { line: this.#lines.at(index), part: row - this.#rows.at(index) };
  }

  /** The row that shows this column of a line, or the head of the folded block around it. */
  rowOf(line: number, column = 0): number {
    if (this.#isPlain) return line;
    const index = this.#lines.lastAtMost(line);
    if (this.#lines.at(index) !== line) return this.#rows.at(index);
    const next = index + 1 < this.#rows.length ? this.#rows.at(index + 1) : this.count;
    return Math.min(this.#rows.at(index) + Math.floor(column / this.columns), next - 1);
  }

  isFolded(line: number): boolean {
    return this.#folded.has(line);
  }

  /** Folds the block of this line, or unfolds it; false if it begins none. */
  fold(line: number, isFolded: boolean): boolean {
    if (this.#source.lastLine(line) <= line) return false;
    if (isFolded) this.#folded.add(line);
    else this.#folded.delete(line);
    this.refresh();
    return true;
  }

  /** Folds every block from this depth on. */
  foldAll(level: number): void {
    for (let line = 0; line < this.#source.count; line += 1) {
      if (this.#source.lastLine(line) > line && this.#source.level(line) >= level) this.#folded.add(line);
    }
    this.refresh();
  }

  unfoldAll(): void {
    this.#folded.clear();
    this.refresh();
  }

  /** Unfolds what hides a line. */
  reveal(line: number): void {
    let isChanged = false;
    for (const folded of this.#folded) {
      if (folded < line && line <= this.#source.lastLine(folded)) isChanged = this.#folded.delete(folded);
    }
    if (isChanged) this.refresh();
  }

  /** The head of the innermost block around a line; the line itself if there is none. */
  headOf(line: number): number {
    const level = this.#source.level(line);
    for (let head = line - 1; head >= 0; head -= 1) {
      if (this.#source.level(head) < level) return head;
    }
    return line;
  }

  #list(count: number): number {
    let row = 0;
    for (let line = 0; line < count; line += 1) {
      this.#lines.push(line);
      this.#rows.push(row);
      row += Math.max(1, Math.ceil(this.#source.width(line) / this.columns));
      if (this.#folded.has(line)) line = this.#source.lastLine(line);
    }
    return row;
  }
}

/** Firefox takes about 17 million pixels, Chromium and Safari about 33. */
export const MAX_HEIGHT = 8_000_000;

/** The space of a list. */
export class ScrollSpace {
  /** Pixels: of all rows, of the element that stands for them, and of the window. */
  readonly #whole: number;
  readonly height: number;
  readonly #view: number;
  readonly rowHeight: number;

  constructor(rows: number, rowHeight: number, view: number) {
    this.rowHeight = rowHeight;
    this.#whole = rows * rowHeight;
    this.height = Math.min(this.#whole, MAX_HEIGHT);
    this.#view = view;
  }

  /** True if a step of the bar stands for more than one row. */
  get isScaled(): boolean {
    return this.#whole > MAX_HEIGHT;
  }

  /** Pixels of rows above the window, for a position of the bar. */
  topOf(scrollTop: number): number {
    return Math.max(0, scrollTop * this.#factor);
  }

  /** The position of the bar for so many pixels of rows above the window. */
  scrollOf(top: number): number {
    return this.clamp(top) / this.#factor;
  }

  /** The nearest pixels above the window that the list allows. */
  clamp(top: number): number {
    return Math.max(0, Math.min(top, this.#whole - this.#view));
  }

  get #factor(): number {
    const room = this.height - this.#view;
    return this.isScaled && room > 0 ? (this.#whole - this.#view) / room : 1;
  }
}
