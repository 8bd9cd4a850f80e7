/**
 * The keys of the page, in a dialog.
 * @module
 */

import { element } from "./dom.ts";
import { type Key, KEYS } from "./page-keys.ts";
import { openSheet } from "./sheet.ts";

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
