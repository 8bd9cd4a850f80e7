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

/** What is copied in words, for people. */
const MARKDOWN = "Markdown";

const SHARED = "Secrets are masked where their names tell them. Read it before you share it.";

/** What the menu says and copies beside code. */
export interface CopyExtras {
  /** What is missing in the request. */
  note?: string | undefined;
  /** Writes the whole exchange as Markdown. */
  markdown?: () => Promise<string>;
}

/** Makes the menu. */
export function makeCopyMenu(
  request: PlainRequest,
  context: CopyContext,
  { note, markdown }: CopyExtras = {},
): HTMLElement {
  const text = element("pre", { class: "code", tabindex: 0, "aria-label": "The request as code" });
  const hint = element("p", { class: "hint" });
  const kinds = element("select", { "aria-label": "Language", class: "small" });
  const names = [...KINDS.map(({ name }) => name), ...markdown ? [MARKDOWN] : []];
  kinds.append(...names.map((name) => element("option", { value: name }, name)));
  let writing = Promise.resolve();
  const show = async () => {
    const { value } = kinds;
    const kind = KINDS.find(({ name }) => name === value);
    hint.textContent = kind ? note ? `${note}.` : "" : SHARED;
    const written = kind ? kind.write(request, context) : await markdown?.() ?? "";
    if (value === kinds.value) text.textContent = written;
  };
  const begin = () => writing = show();
  kinds.addEventListener("change", begin);
  const menu = element(
    "details",
    { class: "copy-as" },
    element("summary", { class: "button small" }, "Copy as…"),
    element(
      "div",
      { class: "copy-code" },
      element(
        "div",
        { class: "pane-head" },
        kinds,
        copyButton("the code", () => writing.then(() => text.textContent ?? "")),
      ),
      hint,
      text,
    ),
  );
  menu.addEventListener("toggle", () => menu.open && void begin());
  return menu;
}
