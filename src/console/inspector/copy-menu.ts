/**
 * Copies a request as code of some language.
 * @module
 */

import { copyButton, element } from "../page/dom.ts";
import { LANGUAGES } from "../share/languages/languages.ts";
import { writeProxiedCurl } from "../share/languages/through-proxy.ts";
import type { PlainRequest } from "../share/plain-request.ts";

/** The proxy, for commands that go through it. */
export interface CopyContext {
  base: string;
  needsToken: boolean;
}

const KINDS = [
  ...LANGUAGES.map(({ name, write }) => ({ name, write: (request: PlainRequest) => write(request) })),
  { name: "curl through this proxy", write: writeProxiedCurl },
];

/**
 * Makes the menu.
 *
 * @param note what is missing in the request, as a comment above the code
 */
export function makeCopyMenu(request: PlainRequest, context: CopyContext, note?: string): HTMLElement {
  const text = element("pre", { class: "code", tabindex: 0, "aria-label": "The request as code" });
  const kinds = element("select", { "aria-label": "Language", class: "small" });
  kinds.append(...KINDS.map(({ name }) => element("option", { value: name }, name)));
  const read = () => {
    const kind = KINDS.find(({ name }) => name === kinds.value) ?? KINDS[0]!;
    return kind.write(request, context);
  };
  const show = () => void (text.textContent = read());
  kinds.addEventListener("change", show);
  const menu = element(
    "details",
    { class: "copy-as" },
    element("summary", { class: "button small" }, "Copy as…"),
    element(
      "div",
      { class: "copy-code" },
      element("div", { class: "pane-head" }, kinds, copyButton("the code", read)),
      note !== undefined && element("p", { class: "hint" }, `${note}.`),
      text,
    ),
  );
  menu.addEventListener("toggle", () => menu.open && show());
  return menu;
}
