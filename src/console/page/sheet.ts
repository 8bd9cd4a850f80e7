/**
 * A dialog of names and what belongs to them, in sections, such as the keys of the page.
 * @module
 */

import { loadStyle } from "../inspector/style-sheet.ts";
import { button, type Child, element, openDialog, terms } from "./dom.ts";
import { type Key, KEYS } from "./page-keys.ts";

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
