/**
 * Shows lines of which only those in view are elements, so that millions cost no more than forty.
 * @module
 */

import { element } from "../../page/dom.ts";
import { copySelection, readHeld } from "./line-selection.ts";
import type { LineSource } from "./line-source.ts";
import { markPieces, type Marks, paintStretches } from "./painting.ts";
import { type Row, RowMap, ScrollSpace } from "./row-map.ts";

/** Rows beyond the window that are elements too. */
const MARGIN = 6;
/** Pixels from the end that still count as the end. */
const NEAR = 8;
const MIN_COLUMNS = 24;

let made = 0;

interface Shown {
  node: HTMLElement;
  key: string;
}

/** A window on the lines of a source. */
export class VirtualLines {
  readonly element: HTMLElement;
  readonly rows: RowMap;
  readonly source: LineSource;
  /** True to stay at the end as lines arrive, as long as the window is there. */
  follows = false;
  /** Takes the width in characters when that has changed. */
  onColumns: ((columns: number) => void) | undefined;
  #marks: Marks | undefined;
  #current = -1;
  readonly #isTree: boolean;
  readonly #id = `lines-${made += 1}`;
  readonly #space = element("div", { class: "body-space", role: "none" });
  readonly #shown = new Map<number, Shown>();
  #measure = { rowHeight: 20, view: 0 };
  #scrolled = new ScrollSpace(0, 20, 0);
  #top = 0;
  #frame = 0;

  constructor(source: LineSource, label: string, isTree: boolean) {
    this.source = source;
    this.rows = new RowMap(source);
    this.#isTree = isTree;
    this.element = element(
      "div",
      { class: "body-lines", tabindex: 0, role: isTree ? "tree" : "group", "aria-label": label },
      this.#space,
    );
    this.#listen();
  }

  refresh(): void {
    if (this.#measure.view === 0) this.#fit();
    const wasAtEnd = this.follows && this.#top >= this.#scrolled.clamp(Infinity) - NEAR;
    this.rows.refresh();
    this.#resize();
    // The window is as tall as what stands in it, up to a limit.
    if (this.#measure.view !== this.element.clientHeight) this.#fit();
    if (wasAtEnd) this.#scrollTo(this.#scrolled.clamp(Infinity));
    this.#draw();
  }

  /** Marks the places of a search; `undefined` removes the marks. */
  mark(marks: Marks | undefined): void {
    this.#marks = marks;
    this.#forget();
    this.#draw();
  }

  /** Brings a place of the body into view, unfolded. */
  reveal(at: number): void {
    const { line, column } = this.source.find(at);
    this.rows.reveal(line);
    this.#resize();
    this.#current = this.#isTree ? line : -1;
    this.#bring(this.rows.rowOf(line, column), true);
  }

  fold(line: number, isFolded: boolean): void {
    this.#refold(() => this.rows.fold(line, isFolded));
  }

  foldAll(level: number): void {
    this.#refold(() => this.rows.foldAll(level));
  }

  unfoldAll(): void {
    this.#refold(() => this.rows.unfoldAll());
  }

  /** Folds, and keeps the line at the top in view, or what it is folded into. */
  #refold(change: () => void): void {
    const { rowHeight } = this.#measure;
    const row = Math.floor(this.#top / rowHeight);
    const line = row > 0 ? this.rows.locate(Math.min(row, this.rows.count - 1)).line : 0;
    change();
    this.#forget();
    this.#resize();
    if (line > 0) this.#scrollTo(this.rows.rowOf(line) * rowHeight);
    this.#draw();
  }

  #listen(): void {
    const { element: lines } = this;
    lines.addEventListener("scroll", () => {
      // A position that this class has set stands for more pixels than the bar has.
      if (Math.abs(this.#scrolled.scrollOf(this.#top) - lines.scrollTop) >= 1.5) {
        this.#top = this.#scrolled.topOf(lines.scrollTop);
      }
      this.#plan();
    });
    lines.addEventListener("wheel", (event) => {
      if (!this.#scrolled.isScaled || event.ctrlKey || event.deltaY === 0) return;
      event.preventDefault();
      this.#scrollTo(this.#top + event.deltaY * (event.deltaMode === 1 ? this.#measure.rowHeight : 1));
      this.#plan();
    }, { passive: false });
    lines.addEventListener("keydown", (event) => this.#onKey(event));
    lines.addEventListener("click", (event) => this.#onClick(event));
    lines.addEventListener("copy", (event) => copySelection(event, this.#space, this.source));
    new ResizeObserver(() => requestAnimationFrame(() => this.#fit())).observe(lines);
  }

  /** Lets go of every row: all look different. */
  #forget(): void {
    for (const { node } of this.#shown.values()) node.remove();
    this.#shown.clear();
  }

  #fit(): void {
    const probe = element(
      "div",
      { class: "body-row probe" },
      element("span", { class: "text" }, "0".repeat(100)),
    );
    this.#space.append(probe);
    const { height } = probe.getBoundingClientRect();
    const { width = 0 } = probe.firstElementChild?.getBoundingClientRect() ?? {};
    const gutter = Number.parseFloat(getComputedStyle(probe).paddingLeft) || 0;
    probe.remove();
    if (width === 0 || height === 0) return;
    const room = this.element.clientWidth - gutter - 12;
    const columns = Math.max(MIN_COLUMNS, Math.floor(room * 100 / width));
    this.#measure = { rowHeight: height, view: this.element.clientHeight };
    if (columns !== this.rows.columns) {
      this.rows.columns = columns;
      this.#forget();
      this.onColumns?.(columns);
      this.rows.refresh();
    }
    this.#resize();
    this.#draw();
  }

  #resize(): void {
    const { rowHeight, view } = this.#measure;
    this.#scrolled = new ScrollSpace(this.rows.count, rowHeight, view);
    this.#space.style.height = `${this.#scrolled.height}px`;
    this.element.style.setProperty("--digits", String(String(this.source.count).length));
    this.#top = this.#scrolled.clamp(this.#top);
  }

  #scrollTo(top: number): void {
    this.#top = this.#scrolled.clamp(top);
    this.element.scrollTop = this.#scrolled.scrollOf(this.#top);
  }

  /** Scrolls as far as it takes to see a row. */
  #bring(row: number, isCentred = false): void {
    const { rowHeight, view } = this.#measure;
    const top = row * rowHeight;
    if (top < this.#top || top + rowHeight > this.#top + view) {
      this.#scrollTo(isCentred ? top - view / 3 : top < this.#top ? top : top + rowHeight - view);
    }
    this.#draw();
  }

  #plan(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  /** Makes the rows in view, and keeps those that are there already: a selection stays. */
  #draw(): void {
    const { rowHeight, view } = this.#measure;
    if (view === 0) return;
    const first = Math.max(0, Math.floor(this.#top / rowHeight) - MARGIN);
    const last = Math.min(this.rows.count, Math.ceil((this.#top + view) / rowHeight) + MARGIN);
    const isHeld = readHeld();
    for (const [row, { node }] of this.#shown) {
      if ((row >= first && row < last) || (row < this.rows.count && isHeld(node))) continue;
      node.remove();
      this.#shown.delete(row);
    }
    const shift = this.#scrolled.scrollOf(this.#top) - this.#top;
    for (let row = first; row < last; row += 1) this.#drawRow(row);
    for (const [row, { node }] of this.#shown) node.style.top = `${row * rowHeight + shift}px`;
    const active = this.#current < 0 ? undefined : this.#shown.get(this.rows.rowOf(this.#current));
    if (active) this.element.setAttribute("aria-activedescendant", active.node.id);
    else this.element.removeAttribute("aria-activedescendant");
  }

  #drawRow(row: number): void {
    const place = this.rows.locate(row);
    const { line, part } = place;
    const isCurrent = line === this.#current;
    const state = [line, part, this.source.width(line), this.source.lastLine(line), isCurrent];
    const key = state.join();
    const before = this.#shown.get(row);
    if (before?.key === key) return;
    const node = this.#makeRow(row, place, isCurrent);
    if (before) before.node.replaceWith(node);
    else this.#insert(row, node);
    this.#shown.set(row, { node, key });
  }

  /** In the order of the rows: a selection goes from one to the next. */
  #insert(row: number, node: HTMLElement): void {
    for (let next = this.#space.lastElementChild;; next = next.previousElementSibling) {
      if (next && Number((next as HTMLElement).dataset["row"]) > row) continue;
      return next ? next.after(node) : this.#space.prepend(node);
    }
  }

  #makeRow(row: number, { line, part }: Row, isCurrent: boolean): HTMLElement {
    const { source, rows: { columns } } = this;
    const width = source.width(line);
    const isWhole = width <= columns;
    const to = isWhole ? Math.max(width, 1_000) : (part + 1) * columns;
    const isLast = to >= width;
    const lastLine = source.lastLine(line);
    const isFolded = this.rows.isFolded(line) && isLast;
    const paint = (pieces: ReturnType<LineSource["paint"]>) =>
      paintStretches(markPieces(pieces, this.#marks));
    const isClosed = isFolded && source.level(lastLine) === source.level(line);
    const hasBlock = lastLine > line && part === 0;
    return element(
      "div",
      {
        id: `${this.#id}-${row}`,
        class: `body-row${isCurrent ? " current" : ""}`,
        "data-row": row,
        "data-line": line,
        "data-from": part * columns,
        "data-number": part === 0 ? line + 1 : undefined,
        ...(this.#isTree && { "role": "treeitem", "aria-level": source.level(line) + 1 }),
        ...(hasBlock && { "aria-expanded": String(!this.rows.isFolded(line)) }),
      },
      hasBlock && element("span", { class: "fold", "aria-hidden": "true" }),
      element("span", { class: "text" }, ...paint(source.paint(line, part * columns, to))),
      isFolded && element("span", { class: "more" }, source.summary(line)),
      ...(isClosed ? paint(source.paint(lastLine, 0, columns).filter(({ at }) => at >= 0)) : []),
      isLast && "\n",
    );
  }

  #onClick({ target }: Event): void {
    const part = target instanceof Element ? target.closest<HTMLElement>(".body-row") : null;
    if (!part || !this.#isTree || getSelection()?.isCollapsed === false) return;
    const line = Number(part.dataset["line"]);
    this.#current = line;
    const isHandle = target instanceof Element && target.matches(".fold, .more");
    if (isHandle) this.fold(line, !this.rows.isFolded(line));
    else this.#draw();
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key === "a" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      getSelection()?.selectAllChildren(this.#space);
    }
    if (event.altKey || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const { rowHeight, view } = this.#measure;
    const page = Math.max(1, Math.floor(view / rowHeight) - 1);
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -Infinity,
      End: Infinity,
    };
    const step = steps[event.key];
    if (step === undefined && !(this.#isTree && this.#onFoldKey(event.key))) return;
    event.preventDefault();
    if (step === undefined) return;
    if (this.#isTree) return this.#move(step);
    this.#scrollTo(this.#top + (Number.isFinite(step) ? step * rowHeight : step));
    this.#draw();
  }

  /** Moves the line that keys act on. */
  #move(step: number): void {
    const top = Math.ceil(this.#top / this.#measure.rowHeight);
    const from = this.#current < 0 ? top - Math.sign(step) : this.rows.rowOf(this.#current);
    const isFar = Number.isFinite(step);
    let row = isFar ? from + step : step > 0 ? this.rows.count - 1 : 0;
    row = Math.max(0, Math.min(row, this.rows.count - 1));
    // A broken line is one line.
    while (step > 0 && row < this.rows.count - 1 && this.rows.locate(row).line === this.#current) row += 1;
    this.#current = this.rows.locate(row).line;
    this.#bring(row);
  }

  #onFoldKey(key: string): boolean {
    const line = this.#current;
    if (line < 0) return false;
    const isBlock = this.source.lastLine(line) > line;
    const isFolded = this.rows.isFolded(line);
    if (isBlock && (key === "Enter" || key === " ")) this.fold(line, !isFolded);
    else if (isBlock && key === "ArrowRight" && isFolded) this.fold(line, false);
    else if (isBlock && key === "ArrowLeft" && !isFolded) this.fold(line, true);
    else if (key === "ArrowLeft") {
      this.#current = this.rows.headOf(line);
      this.#bring(this.rows.rowOf(this.#current));
    } else return false;
    return true;
  }
}
