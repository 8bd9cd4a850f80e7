/**
 * "Take it with you": links and code of the request, and the way back. Loaded when it is unfolded.
 * @module
 */

import { isCurl } from "../builder/complete-address.ts";
import type { ReadyRequest } from "../builder/compose-request.ts";
import { copyButton, element, find } from "../page/dom.ts";
import { decodePasted } from "./pasted.ts";
import { listShares, type Share, type ShareContext } from "./share.ts";

let round = 0;

/** The way back: takes what was pasted into the builder, and says what it is. */
export function takeBack(
  context: ShareContext,
  load: (argument: Record<string, unknown>) => void,
  readCurl: (text: string) => unknown,
): void {
  const { value } = find<HTMLInputElement>("decode-input");
  if (isCurl(value)) return void readCurl(value);
  const decoded = decodePasted(value, context);
  find("decode-result").textContent = decoded
    ? `${decoded.what}: it stands in the builder now.`
    : "This is no arg, link, label or curl command.";
  if (decoded) load(decoded.argument);
}

/** Shows links and code of a request; of none what is missing. */
export async function showRequest(request: ReadyRequest | undefined, context: ShareContext): Promise<void> {
  const mine = round += 1;
  const shares = request ? await listShares(request, context) : [];
  if (mine === round) showShares(shares);
}

/** Shows the list. If it is empty, says what is missing. */
function showShares(shares: readonly Share[]): void {
  const list = find("share");
  if (shares.length === 0) {
    list.replaceChildren(
      element("p", { class: "empty" }, "An address above becomes links and code to copy."),
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
