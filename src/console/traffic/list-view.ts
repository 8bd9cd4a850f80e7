/**
 * The list of requests: virtual, newest first, by pointer and keyboard. A row under the pointer or with focus stays.
 * @module
 */

import { h, render } from "preact";
import { find, say } from "../page/dom.ts";
import { KEYS } from "../page/page-keys.ts";
import { LIST_COLUMNS, NEWEST, type Sort, sortRows, turnSort } from "./columns.ts";
import { ListModel, spanOf, visibleRange } from "./list-model.ts";
import { idOfRow, LogHead, LogRow } from "./log-row.ts";
import type { Row } from "./store.ts";

/** What the list asks and tells. */
export interface ListActions {
  rows(): Row[];
  /** The proxy's clock, in Unix milliseconds. */
  now(): number;
  /** The host that requests go to by default. */
  home(): string;
  /** A row was chosen, or none is any more. */
  pick(row: Row | undefined): void;
}

/** At least so many milliseconds are between two draws of what came: nobody reads faster. */
const CALM_MS = 300;

/** Only what is seen is drawn, all of it once in a frame of the screen. */
export class ListView {
  readonly #actions: ListActions;
  readonly #model = new ListModel();
  readonly #scroll = find("traffic-scroll");
  readonly #space = find("traffic-rows");
  readonly #freshButton = find<HTMLButtonElement>("traffic-fresh");
  /** When the bars begin to count: style sheets read no large numbers. */
  readonly #base = Date.now();
  #sort = NEWEST;
  #rowHeight = 24;
  #isPointed = false;
  #isPaused = false;
  #isSeen = true;
  #frame = 0;
  #drawnAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(actions: ListActions) {
    this.#actions = actions;
    const scroll = this.#scroll;
    scroll.addEventListener("scroll", () => this.schedule(), { passive: true });
    // The button for new rows belongs to the list: the way to it must not take it away.
    const list = find("traffic-list");
    list.addEventListener("pointermove", (event) => this.#move(event));
    list.addEventListener("pointerleave", () => this.#point(false));
    scroll.addEventListener("focusout", () => this.schedule());
    scroll.addEventListener("click", (event) => this.#click(event));
    scroll.addEventListener("keydown", (event) => this.#press(event));
    this.#freshButton.addEventListener("click", () => this.showNewest());
    this.#turn(NEWEST);
    new ResizeObserver(() => this.#measure()).observe(scroll);
    new IntersectionObserver(([one]) => {
      this.#isSeen = one?.isIntersecting ?? true;
      this.schedule();
    }).observe(scroll);
  }

  /** True while what is new is counted, and not put into the list. */
  get isHeld(): boolean {
    const isRead = document.activeElement === this.#scroll && this.#model.current !== undefined;
    return this.#isPaused || this.#isPointed || isRead || this.#scroll.scrollTop > 0;
  }

  /** Draws what came, soon; later, if the list is not seen. */
  scheduleNews(): void {
    if (!this.#isSeen) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.schedule();
    }, this.#drawnAt + CALM_MS - performance.now());
  }

  schedule(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw(this.isHeld);
    });
  }

  /** Draws what there is now, held or not: something else than time has changed it. */
  refresh(): void {
    this.#model.update(this.#rows(), false);
    this.schedule();
  }

  /** Shows what is new, from the top, and goes on until the pointer moves. */
  showNewest(): void {
    this.#isPointed = false;
    this.#turn(NEWEST);
    this.#model.update(this.#rows(), false);
    this.#scroll.scrollTop = 0;
    this.#draw(true);
  }

  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.schedule();
  }

  /** Picks the row of a request; false if it is not in the list. */
  choose(key: string): boolean {
    this.#model.update(this.#rows(), false);
    const row = this.#model.rows[this.#model.indexOf(key)];
    if (!row) return false;
    this.#model.current = key;
    this.#reveal(key);
    this.#pick(row);
    return true;
  }

  drop(): void {
    this.#pick(undefined);
  }

  focus(): void {
    this.#scroll.focus();
  }

  /** Puts the keyboard on the first row that is seen. */
  enter(): void {
    this.#scroll.focus();
    this.#model.current ??= this.#model.rows[Math.ceil(this.#scroll.scrollTop / this.#rowHeight)]?.key;
    this.schedule();
  }

  #rows(): Row[] {
    return sortRows(this.#actions.rows(), this.#sort, this.#actions.now());
  }

  #turn(sort: Sort): void {
    this.#sort = sort;
    const turn = (column: string) => {
      const { title, isText = false } = LIST_COLUMNS.find(({ name }) => name === column)!;
      this.#turn(turnSort(this.#sort, column, isText));
      this.refresh();
      say(`Sorted by ${title.toLowerCase()}, ${this.#sort.isUp ? "ascending" : "descending"}`);
    };
    render(h(LogHead, { sort, turn }), find("traffic-columns"));
  }

  /** A pointer that rests is moved by nothing, though browsers may say so when the page below it changes. */
  #move({ movementX, movementY }: PointerEvent): void {
    if (!this.#isPointed && (movementX !== 0 || movementY !== 0)) this.#point(true);
  }

  #point(isPointed: boolean): void {
    this.#isPointed = isPointed;
    this.schedule();
  }

  #measure(): void {
    const probe = getComputedStyle(this.#space).getPropertyValue("--row");
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.#rowHeight = parseFloat(probe) * rem || 24;
    this.schedule();
  }

  #click({ target }: Event): void {
    const key = (target as Element).closest<HTMLElement>("[data-key]")?.dataset["key"];
    const row = this.#model.rows[this.#model.indexOf(key)];
    if (!row) return;
    this.#model.current = row.key;
    this.#pick(row.key === this.#model.picked ? undefined : row);
  }

  #press(event: KeyboardEvent): void {
    // The buttons of the columns stand in the list too.
    if (event.target !== this.#scroll || event.altKey || event.ctrlKey || event.metaKey) return;
    const { key } = event;
    if (key === KEYS.pick.key || key === " ") {
      event.preventDefault();
      return this.#pick(this.#model.rows[this.#model.indexOf(this.#model.current)]);
    }
    if (key === KEYS.leave.key) return this.#escape(event);
    if (key === KEYS.first.key) this.#model.update(this.#rows(), false);
    const page = Math.max(1, Math.floor(this.#bodyHeight / this.#rowHeight) - 1);
    const row = this.#model.move(key, page);
    if (!row) return;
    event.preventDefault();
    this.#reveal(row.key);
    this.#draw(true);
  }

  /** First the details go, then the row that the keyboard is on. */
  #escape(event: KeyboardEvent): void {
    const { current, picked } = this.#model;
    if (picked === undefined && current === undefined) return;
    event.preventDefault();
    if (picked !== undefined) return this.#pick(undefined);
    this.#model.current = undefined;
    this.schedule();
  }

  #pick(row: Row | undefined): void {
    this.#model.picked = row?.key;
    this.#actions.pick(row);
    this.#draw(true);
  }

  get #headHeight(): number {
    return this.#space.offsetTop;
  }

  get #bodyHeight(): number {
    return this.#scroll.clientHeight - this.#headHeight;
  }

  /** Scrolls as far as it takes to see a row. */
  #reveal(key: string): void {
    const top = this.#model.indexOf(key) * this.#rowHeight;
    const { scrollTop } = this.#scroll;
    const height = this.#bodyHeight;
    if (top < scrollTop) this.#scroll.scrollTop = top;
    else if (top + this.#rowHeight > scrollTop + height) {
      this.#scroll.scrollTop = top + this.#rowHeight - height;
    }
  }

  #draw(isHeld: boolean): void {
    this.#drawnAt = performance.now();
    const model = this.#model;
    model.update(this.#rows(), isHeld);
    const { rows, current, fresh } = model;
    this.#space.style.height = `calc(${rows.length} * var(--row))`;
    this.#scroll.setAttribute("aria-rowcount", String(rows.length + 1));
    const drawn = this.#drawRows();
    if (current !== undefined && drawn.some(({ key }) => key === current)) {
      this.#scroll.setAttribute("aria-activedescendant", idOfRow(current));
    } else this.#scroll.removeAttribute("aria-activedescendant");
    this.#freshButton.hidden = fresh === 0;
    if (fresh > 0) this.#freshButton.textContent = `${fresh.toLocaleString("en")} new`;
  }

  /** Draws the rows that are seen, in their order, as screen readers go by it. */
  #drawRows(): readonly Row[] {
    const { rows, current, picked } = this.#model;
    const { scrollTop, clientHeight } = this.#scroll;
    const [start, end] = visibleRange(scrollTop, clientHeight, this.#rowHeight, rows.length);
    const seen = rows.slice(start, end);
    const facts = { now: this.#actions.now(), home: this.#actions.home(), base: this.#base };
    const { from, ms } = spanOf(seen.map(({ entry }) => entry));
    this.#space.style.setProperty("--from", String(from - this.#base));
    this.#space.style.setProperty("--span", String(ms));
    const drawn = seen.map(({ key, entry }, at) => {
      const standing = { index: start + at, isCurrent: key === current, isPicked: key === picked };
      return h(LogRow, { key, entry, ...facts, ...standing });
    });
    render(drawn, this.#space);
    return seen;
  }
}
