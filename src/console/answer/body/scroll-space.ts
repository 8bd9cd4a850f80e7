/**
 * Where rows stand in an element that scrolls. Browsers limit the height of an element, so beyond that a step of the bar
 * stands for several rows.
 * @module
 */

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
