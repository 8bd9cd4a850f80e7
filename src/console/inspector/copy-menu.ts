/**
 * Copies a request as code of some language.
 * @module
 */

import { copyButton, element } from "../page/dom.ts";
import { writeCurl } from "../share/languages/curl-command.ts";
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

const SHARED = "Secrets are masked where names tell them. Read it before sharing.";

/** What the menu says and copies beside code. */
export interface CopyExtras {
  /** What is missing in the request. */
  note?: string | undefined;
  /** Writes the whole exchange as Markdown. */
  markdown?: () => Promise<string>;
}

/** Draws a button for the command of curl, and a menu of all kinds. */
export function drawCopies(
  request: PlainRequest,
  context: CopyContext,
  extras: CopyExtras = {},
): Node[] {
  const text = element("pre", { class: "code", tabindex: 0, "aria-label": "The request as code" });
  const hint = element("p", { class: "hint" });
  const kinds = listKinds(request, context, extras);
  const options = kinds.map(({ name }) => element("option", { value: name }, name));
  const choice = element("select", { "aria-label": "Language", class: "small" }, ...options);
  let writing = Promise.resolve();
  const show = async () => {
    const kind = kinds.find(({ name }) => name === choice.value)!;
    hint.textContent = kind.hint;
    const written = await kind.write();
    if (kind.name === choice.value) text.textContent = written;
  };
  const begin = () => writing = show();
  choice.addEventListener("change", begin);
  const copy = copyButton("the code", () => writing.then(() => text.textContent ?? ""));
  const menu = element(
    "details",
    { class: "copy-as" },
    element("summary", { class: "button small" }, "Copy as…"),
    element(
      "div",
      { class: "copy-code" },
      element("div", { class: "pane-head" }, choice, copy),
      hint,
      text,
    ),
  );
  menu.addEventListener("toggle", () => menu.open && void begin());
  const curl = copyButton("as cURL", () => {
    // What is missing is said there.
    if (extras.note) menu.open = true;
    return writeCurl(request);
  }, "Copy as cURL");
  return [curl, menu];
}

function listKinds(request: PlainRequest, context: CopyContext, { note, markdown }: CopyExtras) {
  return [
    ...KINDS.map(({ name, write }) => ({
      name,
      hint: note ? `${note}.` : "",
      write: () => write(request, context),
    })),
    ...markdown ? [{ name: "Markdown", hint: SHARED, write: markdown }] : [],
  ];
}
