/**
 * The tabs of the pane, each with a panel of its own.
 * @module
 */

import { element, markTab, moveInTabs } from "../page/dom.ts";

/** A row of tabs and their panels. */
export class PaneTabs {
  readonly list: HTMLElement;
  readonly panels: HTMLElement;
  readonly #tabs = new Map<string, { tab: HTMLButtonElement; panel: HTMLElement }>();
  readonly #onShow: () => void;
  chosen: string | undefined;

  /**
   * @param onChoose runs when the user has chosen another one
   * @param onShow runs when another one is shown
   */
  constructor(names: readonly string[], onChoose: (name: string) => void, onShow: () => void) {
    this.#onShow = onShow;
    this.list = element("div", { class: "tabs", role: "tablist", "aria-label": "Parts of the request" });
    this.panels = element("div", { class: "pane-panels" });
    for (const name of names) this.#add(name, onChoose);
    moveInTabs(this.list);
  }

  panel(name: string): HTMLElement {
    return this.#tabs.get(name)!.panel;
  }

  /** Shows or hides a tab. A tab that goes while it is chosen leaves the first one. */
  allow(name: string, isAllowed: boolean): void {
    const { tab } = this.#tabs.get(name)!;
    tab.hidden = !isAllowed;
    if (!isAllowed && tab.getAttribute("aria-selected") === "true") this.choose(this.#names[0] ?? name);
  }

  /** Writes a small mark behind the name, such as a count. */
  mark(name: string, text: string): void {
    const mark = this.#tabs.get(name)!.tab.querySelector(".count")!;
    if (mark.textContent !== text) mark.textContent = text;
  }

  /** Chooses a tab; one that is not there, or hidden, leaves the first one. */
  choose(name: string): void {
    const chosen = this.#names.includes(name) ? name : this.#names[0];
    this.chosen = chosen;
    for (const [other, { tab, panel }] of this.#tabs) {
      markTab(tab, other === chosen);
      panel.hidden = other !== chosen;
    }
    this.#onShow();
  }

  get #names(): string[] {
    return [...this.#tabs].filter(([, { tab }]) => !tab.hidden).map(([name]) => name);
  }

  #add(name: string, onChoose: (name: string) => void): void {
    const id = name.toLowerCase();
    const tab = element(
      "button",
      { type: "button", role: "tab", id: `inspect-tab-${id}`, "aria-controls": `inspect-${id}` },
      name,
      element("span", { class: "count" }),
    );
    tab.addEventListener("click", () => {
      this.choose(name);
      onChoose(name);
    });
    const panel = element("div", {
      role: "tabpanel",
      id: `inspect-${id}`,
      "aria-labelledby": tab.id,
      class: "pane-panel",
      tabindex: 0,
    });
    this.#tabs.set(name, { tab, panel });
    this.list.append(tab);
    this.panels.append(panel);
  }
}
