/**
 * The list of links and code, each with its copy button.
 * @module
 */

import { copyButton, element, find } from "../page/dom.ts";
import type { Share } from "./share.ts";

/** Shows the list. If it is empty, says what is missing. */
export function showShares(shares: readonly Share[]): void {
  const list = find("share");
  if (shares.length === 0) {
    list.replaceChildren(
      element("p", { class: "empty" }, "Enter an address above: here it becomes links and code to copy."),
    );
    return;
  }
  // Rows are reused, so that the focus does not move while the user types elsewhere.
  const rows = [...list.querySelectorAll<HTMLElement>(".way")];
  if (rows.length === shares.length) {
    for (const [index, share] of shares.entries()) fillRow(rows[index]!, share);
  } else {
    list.replaceChildren(...shares.map((share) => fillRow(makeRow(share), share)));
  }
}

function makeRow({ name, about, isLink }: Share): HTMLElement {
  const text = element(isLink ? "code" : "pre", {
    class: "text",
    tabindex: 0,
    "aria-label": name,
    role: "group",
  });
  return element(
    "div",
    { class: `way${isLink ? "" : " code"}` },
    element("div", { class: "name" }, element("b", {}, name), element("small", {}, about)),
    text,
    element(
      "div",
      { class: "tools" },
      copyButton(name, () => text.textContent ?? ""),
      isLink &&
        element("a", {
          class: "button small",
          target: "_blank",
          rel: "noopener",
          "aria-label": `Open ${name}`,
        }, "Open ↗"),
    ),
    element("small", { class: "note" }),
  );
}

function fillRow(row: HTMLElement, { text, note }: Share): HTMLElement {
  row.classList.toggle("missing", text === "");
  row.querySelector(".text")!.textContent = text || "–";
  row.querySelector(".note")!.textContent = note ?? "";
  row.querySelector<HTMLButtonElement>(".copy")!.disabled = text === "";
  const link = row.querySelector("a");
  if (link && text) link.href = text;
  else link?.removeAttribute("href");
  return row;
}
