/**
 * A dialog of names and what belongs to them, in sections.
 * @module
 */

import { loadStyle } from "../inspector/style-sheet.ts";
import { openDialog } from "./dialog.ts";
import { button, type Child, element, terms } from "./dom.ts";

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
