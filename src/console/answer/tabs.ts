/**
 * Tabs over one panel that shows what is chosen. Arrow keys, Home and End move between them.
 * @module
 */

import { element } from "../page/dom.ts";

let made = 0;

/** A row of tabs. */
export class Tabs<T extends string> {
  readonly element: HTMLElement;
  readonly #panel: HTMLElement;
  readonly #onChoose: (name: T) => void;
  readonly #id = `tabs-${made += 1}`;
  #tabs = new Map<T, HTMLButtonElement>();
  chosen: T | undefined;

  /**
   * @param panel what the tabs control
   * @param onChoose runs when the user chooses another one
   */
  constructor(label: string, panel: HTMLElement, onChoose: (name: T) => void) {
    this.#panel = panel;
    this.#onChoose = onChoose;
    this.element = element("div", { class: "tabs", role: "tablist", "aria-label": label });
    panel.setAttribute("role", "tabpanel");
    panel.id ||= `${this.#id}-panel`;
    this.element.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /** Shows these tabs; those that are there already stay the same elements. */
  write(tabs: readonly { name: T; label: string }[]): void {
    const kept = this.#tabs;
    this.#tabs = new Map(tabs.map(({ name, label }) => {
      const tab = kept.get(name) ?? this.#make(name);
      if (tab.textContent !== label) tab.textContent = label;
      return [name, tab];
    }));
    const isSame = [...this.element.children].length === this.#tabs.size &&
      [...this.#tabs.values()].every((tab, index) => this.element.children[index] === tab);
    if (!isSame) this.element.replaceChildren(...this.#tabs.values());
  }

  /** Marks a tab as chosen. */
  choose(name: T): void {
    this.chosen = name;
    for (const [other, tab] of this.#tabs) {
      tab.setAttribute("aria-selected", String(other === name));
      tab.tabIndex = other === name ? 0 : -1;
      if (other === name) this.#panel.setAttribute("aria-labelledby", tab.id);
    }
  }

  #make(name: T): HTMLButtonElement {
    const tab = element("button", {
      type: "button",
      role: "tab",
      id: `${this.#id}-${name}`,
      "aria-controls": this.#panel.id,
    });
    tab.addEventListener("click", () => this.#pick(name));
    return tab;
  }

  #pick(name: T): void {
    this.choose(name);
    this.#onChoose(name);
  }

  #onKey(event: KeyboardEvent): void {
    const names = [...this.#tabs.keys()];
    const index = this.chosen === undefined ? 0 : names.indexOf(this.chosen);
    const steps: Record<string, number> = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 };
    const step = steps[event.key];
    const next = step === undefined ? undefined : names.at(step % names.length);
    if (next === undefined) return;
    event.preventDefault();
    this.#pick(next);
    this.#tabs.get(next)?.focus();
  }
}
