/**
 * The header rows as text: a line for each, `name: value`. Loaded when it is used.
 * @module
 */

import { element, find } from "../page/dom.ts";
import type { Rows } from "./rows.ts";

/** Reads lines. A line without a colon is a name; blank ones count for nothing. */
export function readHeaderText(text: string): [name: string, value: string][] {
  return text.split("\n").filter((line) => line.trim() !== "").map((line) => {
    const colon = line.indexOf(":", 1);
    const [name, value] = colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1)];
    return [name.trim(), value.trim()];
  });
}

/** Shows the rows as text, and changes between the two from now on. The result shows the rows. */
export function openHeaderText(rows: Rows, onChange: () => void): () => void {
  const place = find("header-rows");
  const area = element("textarea", {
    rows: 8,
    hidden: true,
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
    "aria-label": "Headers as text",
  });
  const button = find("header-text");
  const show = (isText: boolean) => {
    area.hidden = !isText;
    place.hidden = isText;
    button.textContent = isText ? "As rows" : "As text";
    if (isText) area.value = rows.read().map(({ name, value }) => `${name}: ${value}`).join("\n");
  };
  button.addEventListener("click", () => show(area.hidden === true));
  area.addEventListener("input", () => {
    rows.writePairs(readHeaderText(area.value));
    onChange();
  });
  place.after(area);
  show(true);
  return () => show(false);
}
