/**
 * Narrows the list to a span of time on the line of bars: by dragging, or by Shift and arrow keys.
 * @module
 */

import { formatClock } from "../page/format.ts";
import { isKey, KEYS } from "../page/page-keys.ts";
import { COLUMN_SECONDS } from "../../parts/console/traffic-counts.ts";
import { WIDTH } from "./charts.ts";
import type { Column } from "./pulse.ts";

/** What it asks and tells. Columns are named by their first second. */
export interface BrushActions {
  columns(): readonly Column[];
  /** A span was chosen, or none any more. */
  choose(span: [first: number, last: number] | undefined): void;
  draw(): void;
}

/** The state of the brush. */
export class Brush {
  readonly #plot: HTMLElement;
  readonly #actions: BrushActions;
  /** Where a span begins, and where it ends so far. */
  #anchor: number | undefined;
  #head: number | undefined;
  #isDragged = false;

  constructor(plot: HTMLElement, actions: BrushActions) {
    this.#plot = plot;
    this.#actions = actions;
    plot.addEventListener("pointerdown", (event) => this.#press(event));
    plot.addEventListener("pointermove", (event) => this.#drag(event));
    plot.addEventListener("pointerup", () => this.#release());
    plot.addEventListener("pointercancel", () => this.#forget());
    plot.addEventListener("blur", () => this.#forget());
    plot.addEventListener("keydown", (event) => this.#step(event));
  }

  /** The span that is being chosen, or the column that the keyboard is on. */
  get span(): [first: number, last: number] | undefined {
    if (this.#anchor === undefined || this.#head === undefined) return undefined;
    return [Math.min(this.#anchor, this.#head), Math.max(this.#anchor, this.#head)];
  }

  /** Tells screen readers where it stands. */
  tell(): void {
    const columns = this.#actions.columns();
    const place = columns.findIndex(({ startSecond }) => startSecond === this.#head);
    const column = columns.at(place < 0 ? -1 : place);
    const { span } = this;
    const narrowed = span && span[0] !== span[1] ? tellSpan(span) : "";
    this.#plot.setAttribute("aria-valuenow", String(place < 0 ? columns.length : place + 1));
    this.#plot.setAttribute(
      "aria-valuetext",
      narrowed || `${formatClock((column?.startSecond ?? 0) * 1_000)}: ${column?.count ?? 0} requests`,
    );
  }

  #press(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.#plot.setPointerCapture(event.pointerId);
    this.#isDragged = true;
    this.#anchor = this.#head = this.#secondAt(event);
  }

  #drag(event: PointerEvent): void {
    if (!this.#isDragged) return;
    this.#head = this.#secondAt(event);
    this.#actions.draw();
  }

  /** A click that drags nothing chooses nothing any more. */
  #release(): void {
    if (!this.#isDragged) return;
    const { span } = this;
    this.#forget();
    this.#actions.choose(span && span[0] !== span[1] ? span : undefined);
  }

  #forget(): void {
    this.#isDragged = false;
    this.#anchor = this.#head = undefined;
    this.#actions.draw();
  }

  #secondAt({ clientX }: PointerEvent): number | undefined {
    const { left, width } = this.#plot.getBoundingClientRect();
    return this.#at(Math.floor((clientX - left) / width * this.#actions.columns().length));
  }

  #at(place: number): number | undefined {
    const columns = this.#actions.columns();
    return columns[Math.min(columns.length - 1, Math.max(0, place))]?.startSecond;
  }

  #step(event: KeyboardEvent): void {
    if (isKey(event, "leave")) {
      this.#forget();
      this.#actions.choose(undefined);
    } else if (!this.#move(event)) return;
    event.preventDefault();
  }

  #move({ key, shiftKey }: KeyboardEvent): boolean {
    const columns = this.#actions.columns();
    const found = columns.findIndex(({ startSecond }) => startSecond === this.#head);
    const here = found < 0 ? columns.length - 1 : found;
    const places: Record<string, number> = {
      [KEYS.earlier.key]: here - 1,
      [KEYS.later.key]: here + 1,
      [KEYS.oldest.key]: 0,
      [KEYS.newest.key]: columns.length - 1,
    };
    const place = Object.hasOwn(places, key) ? places[key] : undefined;
    if (place === undefined) return false;
    this.#anchor = shiftKey ? this.#anchor ?? this.#at(here) : this.#at(place);
    this.#head = this.#at(place);
    if (shiftKey) this.#actions.choose(this.span);
    this.#actions.draw();
    return true;
  }
}

/** The span as a value of `time:`. */
export function tellSpan([first, last]: readonly [first: number, last: number]): string {
  return `${formatClock(first * 1_000)}-${formatClock((last + COLUMN_SECONDS) * 1_000)}`;
}

/** The columns of a span as a path behind the bars; `""` for none. */
export function pathOfSpan(columns: readonly Column[], isIn: (column: Column) => boolean): string {
  const width = WIDTH / columns.length;
  return columns.map((column, at) => (isIn(column) ? `M${at * width} 0h${width}v80h${-width}z` : "")).join(
    "",
  );
}
