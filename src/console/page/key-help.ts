/**
 * The keys of the page, in a dialog.
 * @module
 */

import { loadStyle } from "../inspector/style-sheet.ts";
import { openDialog } from "./dialog.ts";
import { element } from "./dom.ts";
import { type Key, KEYS } from "./page-keys.ts";

/** Shows them. */
export async function openHelp(): Promise<void> {
  await loadStyle();
  const keys: readonly Key[] = Object.values(KEYS);
  const parts = [...new Set(keys.map(({ where }) => where))].map((part) =>
    element(
      "section",
      {},
      element("h3", {}, part),
      element(
        "dl",
        {},
        ...keys.filter(({ where }) => where === part).flatMap(({ key, does }) => [
          element("dt", {}, element("kbd", {}, key)),
          element("dd", {}, does),
        ]),
      ),
    )
  );
  const close = element(
    "button",
    { type: "button", class: "quiet drop", "aria-label": "Close", click: () => dialog.close() },
    "×",
  );
  const head = element("div", { class: "pane-head" }, element("h2", {}, "Keys"), close);
  const dialog = openDialog("Keys", head, element("div", { class: "keys", tabindex: 0 }, ...parts));
}
