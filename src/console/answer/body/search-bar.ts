/**
 * The search in a body: a field, how many places were found, and the way from one to the next.
 * @module
 */

import { button, element } from "../../page/dom.ts";
import { later, Search, SLICE_MS } from "./search.ts";
import type { View } from "./view.ts";

/** Milliseconds after which a search in a body that grows begins anew. */
const AGAIN_MS = 400;

/** The row with the search. */
export class SearchBar {
  readonly element: HTMLElement;
  readonly #field = element("input", {
    type: "search",
    "aria-label": "Find in the body",
    placeholder: "find",
    autocomplete: "off",
    spellcheck: "false",
  });
  readonly #count = element("span", { class: "hint", role: "status" });
  #view: View | undefined;
  #search: Search | undefined;
  #current = -1;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #onClose: () => void;

  constructor(onClose: () => void) {
    this.#onClose = onClose;
    const quiet = (label: string) => ({ class: "quiet small", "aria-label": label });
    this.element = element(
      "div",
      { class: "find", role: "search", hidden: true },
      this.#field,
      this.#count,
      button("↑", () => this.#step(-1), quiet("Previous place")),
      button("↓", () => this.#step(1), quiet("Next place")),
      button("×", () => this.close(), quiet("Close the search")),
    );
    this.#field.addEventListener("input", () => this.#start(true));
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
      else if (event.key === "Enter" && event.target === this.#field) this.#step(event.shiftKey ? -1 : 1);
      else return;
      event.preventDefault();
    });
  }

  open(): void {
    this.element.hidden = false;
    this.#field.focus();
    this.#field.select();
    this.#start(false);
  }

  close(): void {
    this.element.hidden = true;
    this.#search = undefined;
    this.#view?.lines?.mark(undefined);
    this.#onClose();
  }

  /** Searches in this view from now on. */
  attach(view: View): void {
    if (view === this.#view) return;
    this.#view?.lines?.mark(undefined);
    this.#view = view;
    if (!view.lines) this.element.hidden = true;
    else if (!this.element.hidden) this.#start(false);
  }

  renew(): void {
    if (this.element.hidden) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#start(false);
    }, AGAIN_MS);
  }

  /** @param moves true to show the first place */
  #start(moves: boolean): void {
    const { value } = this.#field;
    const view = this.#view;
    if (this.element.hidden || !view?.lines || !view.readHaystack) return;
    const search = this.#search = value === "" ? undefined : new Search(view.readHaystack(), value);
    if (moves) this.#current = -1;
    if (search) void this.#run(search, view);
    else {
      view.lines.mark(undefined);
      this.#count.textContent = "";
    }
  }

  async #run(search: Search, view: View): Promise<void> {
    while (search === this.#search) {
      const isDone = search.advance(performance.now() + SLICE_MS);
      if (this.#current < 0 && search.starts.length > 0) this.#go(0);
      if (isDone) break;
      await later();
    }
    if (search !== this.#search) return;
    this.#current = Math.min(this.#current, search.starts.length - 1);
    view.lines?.mark({ search, current: this.#current });
    this.#tell();
  }

  #step(by: number): void {
    const { length } = this.#search?.starts ?? { length: 0 };
    if (length > 0) this.#go((this.#current + by + length) % length);
  }

  #go(index: number): void {
    if (!this.#search) return;
    this.#current = index;
    this.#view?.lines?.reveal(this.#search.starts.at(index));
    this.#view?.lines?.mark({ search: this.#search, current: index });
    this.#tell();
  }

  #tell(): void {
    const { starts, isFull } = this.#search ?? { starts: { length: 0 }, isFull: false };
    const all = `${starts.length.toLocaleString("en")}${isFull ? "+" : ""}`;
    this.#count.textContent = starts.length === 0
      ? "not found"
      : `${(this.#current + 1).toLocaleString("en")} of ${all}`;
  }
}
