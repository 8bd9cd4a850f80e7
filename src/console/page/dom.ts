/**
 * Builds and finds elements. Text is inserted as text, never as markup.
 * @module
 */

/** A child of an element. */
export type Child = Node | string | false | undefined;

/** Attributes and listeners of a new element; `undefined` and `false` leave one out. */
export type Attributes = Readonly<
  Record<string, string | number | boolean | undefined | ((event: Event) => void)>
>;

/** Makes an element. A function becomes a listener, everything else an attribute. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  setAttributes(made, attributes);
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

/** Makes a button; a small one, unless its attributes say another class. */
export function button(label: Child, click: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return element("button", { type: "button", class: "small", click, ...attributes }, label);
}

/** Makes a paragraph of what is good to know. */
export function hint(text: string, attributes: Attributes = {}): HTMLElement {
  return element("p", { class: "hint", ...attributes }, text);
}

/** The terms of a list, and what belongs to each. */
export function terms(pairs: readonly (readonly [name: Child, about: Child])[]): HTMLElement[] {
  return pairs.flatMap(([name, about]) => [element("dt", {}, name), element("dd", {}, about)]);
}

/** Finds the element with this id, which must exist. */
export function find<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`Cannot find #${id}: the page has none, expected it to`);
  return found as T;
}

/** The radio buttons of a name in the builder: together they have the value of the one that is chosen. */
export function findRadios(name: string): RadioNodeList & Iterable<Node> {
  return find<HTMLFormElement>("builder").elements.namedItem(name) as RadioNodeList;
}

/** Announces a text to screen readers. */
export function say(text: string): void {
  find("said").textContent = text;
}

/** Marks a tab as chosen, or as not chosen. */
function markTab(tab: HTMLElement, isChosen: boolean): void {
  tab.setAttribute("aria-selected", String(isChosen));
  tab.tabIndex = isChosen ? 0 : -1;
}

/** Arrow keys, Home and End move between the tabs of a row, and choose as a click does. */
function moveInTabs(list: HTMLElement): void {
  list.addEventListener("keydown", (event) => {
    const tabs = [...list.querySelectorAll<HTMLElement>("[role=tab]")];
    const index = tabs.indexOf(document.activeElement as HTMLElement);
    const steps: Record<string, number> = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = tabs.at(step % tabs.length)!;
    next.click();
    next.focus();
  });
}

/** Makes a button that copies the result of `read`, and confirms it. */
export function copyButton(
  what: string,
  read: () => string | Promise<string>,
  name = "Copy",
): HTMLButtonElement {
  const label = element("span", {}, name);
  const copy = async () => {
    const done = await copyText(await read());
    label.textContent = done ? "Copied" : "Press Ctrl+C";
    made.classList.toggle("done", done);
    say(done ? `Copied ${what}` : `Cannot copy ${what}`);
    setTimeout(() => {
      label.textContent = name;
      made.classList.remove("done");
    }, 1_600);
  };
  const made = button(label, () => void copy(), { class: "small copy", "aria-label": `Copy ${what}` });
  return made;
}

/** The clipboard API exists in secure contexts only; elsewhere the old command works. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = element("textarea", { class: "sr", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

/** Sets attributes, and listens. */
export function setAttributes(target: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") target.addEventListener(name, value);
    else if (value !== undefined && value !== false) target.setAttribute(name, String(value));
  }
}

/** Shows a dialog until Escape, or a click beside it; another one goes. */
export function openDialog(label: string, ...children: Child[]): HTMLDialogElement {
  const dialog = element("dialog", { class: "over", "aria-label": label }, ...children);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  document.querySelector<HTMLDialogElement>("dialog[open]")?.close();
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

let made = 0;

/** A tab as it is written; `mark` is a small one behind its name, such as a count. */
interface WrittenTab<T> {
  name: T;
  label?: string;
  mark?: string;
}

/** A row of tabs. */
export class Tabs<T extends string> {
  readonly element: HTMLElement;
  readonly #panelOf: (name: T) => HTMLElement;
  readonly #onChoose: (name: T) => void;
  readonly #id: string;
  #tabs = new Map<T, HTMLButtonElement>();
  chosen: T | undefined;

  /**
   * @param panelOf what a tab controls: a panel of its own, or one that all share
   * @param onChoose runs when the user chooses another one
   * @param id what the ids of the tabs begin with
   */
  constructor(
    label: string,
    panelOf: (name: T) => HTMLElement,
    onChoose: (name: T) => void = () => {},
    id = `tabs-${made += 1}`,
  ) {
    this.#id = id;
    this.#panelOf = panelOf;
    this.#onChoose = onChoose;
    this.element = element("div", { class: "tabs", role: "tablist", "aria-label": label });
    moveInTabs(this.element);
  }

  /** Shows these tabs; those that are there already stay the same elements. */
  write(tabs: readonly WrittenTab<T>[]): void {
    const kept = this.#tabs;
    this.#tabs = new Map(tabs.map(({ name, label = name, mark = "" }) => {
      const tab = kept.get(name) ?? this.#make(name);
      const text = mark ? `${label} ` : label;
      if (tab.textContent !== text + mark) {
        tab.replaceChildren(text, element("span", { class: "count" }, mark));
      }
      return [name, tab];
    }));
    const isSame = [...this.element.children].length === this.#tabs.size &&
      [...this.#tabs.values()].every((tab, index) => this.element.children[index] === tab);
    if (!isSame) this.element.replaceChildren(...this.#tabs.values());
  }

  /** Chooses a tab; one that is not there leaves the first one. */
  choose(wanted: T): void {
    const name = this.#tabs.has(wanted) ? wanted : [...this.#tabs.keys()][0] ?? wanted;
    if (this.chosen !== undefined) this.#panelOf(this.chosen).hidden = true;
    this.chosen = name;
    for (const [other, tab] of this.#tabs) markTab(tab, other === name);
    const panel = this.#panelOf(name);
    panel.hidden = false;
    panel.setAttribute("aria-labelledby", `${this.#id}-${name}`);
  }

  #make(name: T): HTMLButtonElement {
    const panel = this.#panelOf(name);
    panel.setAttribute("role", "tabpanel");
    panel.id ||= `${this.#id}-${name}-panel`;
    const tab = element("button", {
      type: "button",
      role: "tab",
      id: `${this.#id}-${name}`,
      "aria-controls": panel.id,
    });
    tab.addEventListener("click", () => {
      this.choose(name);
      this.#onChoose(name);
    });
    return tab;
  }
}
