/**
 * Tabs over one panel that shows what is chosen.
 * @module
 */

import { element, markTab, moveInTabs } from "../page/dom.ts";

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
    moveInTabs(this.element);
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
      markTab(tab, other === name);
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
    tab.addEventListener("click", () => {
      this.choose(name);
      this.#onChoose(name);
    });
    return tab;
  }
}
