/**
 * A dialog of names and what belongs to them, in sections, such as the keys of the page; and the style sheet that the first paint does not need.
 * @module
 */

import { button, type Child, element, openDialog, terms } from "./dom.ts";
import { type Key, KEYS } from "./page-keys.ts";
import { ownAddress } from "./own-requests.ts";

/** A section. */
export interface Section {
  name: string;
  rows: readonly (readonly [name: Child, value: Child])[];
  /** What stands below the rows. */
  more?: readonly Child[];
}

/** Shows it. */
export async function openSheet(title: string, sections: readonly Section[]): Promise<void> {
  await loadStyle();
  const close = button("×", () => dialog.close(), { class: "quiet drop", "aria-label": "Close" });
  const parts = sections.map(({ name, rows, more = [] }) =>
    element("section", {}, element("h3", {}, name), element("dl", {}, ...terms(rows)), ...more)
  );
  const head = element("div", { class: "pane-head" }, element("h2", {}, title), close);
  const dialog = openDialog(title, head, element("div", { class: "keys", tabindex: 0 }, ...parts));
}

/** Shows them. */
export function openHelp(): void {
  const keys: readonly Key[] = Object.values(KEYS);
  const parts = [...new Set(keys.map(({ where }) => where))].map((name) => ({
    name,
    rows: keys.filter(({ where }) => where === name)
      .map(({ key, does }) => [element("kbd", {}, key), does] as const),
  }));
  void openSheet("Keys", parts);
}

let loaded: Promise<void> | undefined;

/** Loads it once. Ends when it applies, or when it cannot be had: then everything is readable, but plain. */
export function loadStyle(): Promise<void> {
  return loaded ??= new Promise((resolve) => {
    const known = document.querySelector<HTMLLinkElement>("link[rel=stylesheet]");
    const link = element("link", {
      rel: "stylesheet",
      href: ownAddress("console-inspector.css"),
      nonce: known?.nonce,
      load: () => resolve(),
      error: () => resolve(),
    });
    document.head.append(link);
  });
}
