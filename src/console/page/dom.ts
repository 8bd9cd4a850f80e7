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

/** Makes an SVG element. */
export function graphic(name: string, attributes: Attributes = {}, ...children: SVGElement[]): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  setAttributes(made, attributes);
  made.append(...children);
  return made;
}

/** Finds the element with this id, which must exist. */
export function find<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`Cannot find #${id}: the page has none, expected it to`);
  return found as T;
}

/** Announces a text to screen readers. */
export function say(text: string): void {
  find("said").textContent = text;
}

/** Turns buttons into tabs for the panels in `aria-controls`. Arrow keys, Home and End move between them. */
export function connectTabs(list: HTMLElement): void {
  const tabs = [...list.querySelectorAll<HTMLElement>("[role=tab]")];
  const show = (tab: HTMLElement) => {
    for (const other of tabs) {
      other.setAttribute("aria-selected", String(other === tab));
      other.tabIndex = other === tab ? 0 : -1;
      find(other.getAttribute("aria-controls") ?? "").hidden = other !== tab;
    }
  };
  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener("click", () => show(tab));
    tab.addEventListener("keydown", ({ key }) => {
      const steps: Record<string, number> = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 };
      const next = key in steps ? tabs.at((steps[key] ?? 0) % tabs.length) : undefined;
      if (!next) return;
      show(next);
      next.focus();
    });
  }
}

/** Makes a button that copies the result of `read`, and confirms it. */
export function copyButton(
  what: string,
  read: () => string | Promise<string>,
  name = "Copy",
): HTMLButtonElement {
  const label = element("span", {}, name);
  const button = element(
    "button",
    { type: "button", class: "small copy", "aria-label": `Copy ${what}` },
    label,
  );
  button.addEventListener("click", async () => {
    const done = await copyText(await read());
    label.textContent = done ? "Copied" : "Press Ctrl+C";
    button.classList.toggle("done", done);
    say(done ? `Copied ${what}` : `Cannot copy ${what}`);
    setTimeout(() => {
      label.textContent = name;
      button.classList.remove("done");
    }, 1_600);
  });
  return button;
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
