/**
 * The languages in which a request can be copied, and the menu of them.
 * @module
 */

import { copyButton, element, hint } from "../page/dom.ts";
import type { NamedProxy } from "../page/own-requests.ts";
import { writeProxiedCurl } from "../share/languages/through-proxy.ts";
import type { PlainRequest } from "../share/languages/request-parts.ts";
import { writeCurl, writeHttpie } from "../share/languages/shell.ts";
import { writeFetch } from "../share/languages/fetch-call.ts";
import { writeGo } from "../share/languages/go.ts";
import { writePython } from "../share/languages/python.ts";

/** All of them, the most used first. Each writes a request that goes straight to its target. */
export const LANGUAGES = [
  { name: "curl", write: (request: PlainRequest) => writeCurl(request) },
  { name: "fetch", write: writeFetch },
  { name: "Python", write: writePython },
  { name: "Go", write: writeGo },
  { name: "HTTPie", write: writeHttpie },
];

const PROXIED = { name: "curl through this proxy", write: writeProxiedCurl };

const SHARED = "Secrets are masked where names tell them. Read it before sharing.";

/** What the menu says and copies beside code. */
export interface CopyExtras {
  note?: string | undefined;
  /** Writes the whole exchange as Markdown. */
  markdown?: () => Promise<string>;
}

/** The name of the kind that was chosen last, in the memory of this page. */
let chosen = "curl";

/** Draws a button for the kind that was chosen last, and a menu of all kinds. */
export function drawCopies(
  request: PlainRequest,
  context: NamedProxy,
  extras: CopyExtras = {},
): Node[] {
  const text = element("pre", { class: "code", tabindex: 0, "aria-label": "The request as code" });
  const about = hint("");
  const kinds = listKinds(request, context, extras);
  const options = kinds.map(({ name }) => element("option", { selected: name === chosen }, name));
  const choice = element("select", { "aria-label": "Language", class: "small" }, ...options);
  let writing = Promise.resolve();
  const readKind = () => kinds.find(({ name }) => name === choice.value)!;
  const show = async () => {
    const kind = readKind();
    about.textContent = kind.hint;
    const written = await kind.write();
    if (kind.name === choice.value) text.textContent = written;
  };
  const begin = () => writing = show();
  const draw = () => drawDirect(readKind(), () => (menu.open = true));
  let direct = draw();
  choice.addEventListener("change", () => {
    chosen = choice.value;
    direct.replaceWith(direct = draw());
    void begin();
  });
  const copy = copyButton("the code", () => writing.then(() => text.textContent ?? ""));
  const menu = makeMenu(element("div", { class: "pane-head" }, choice, copy), about, text);
  menu.addEventListener("toggle", () => menu.open && void begin());
  return [direct, menu];
}

function makeMenu(...parts: Node[]): HTMLDetailsElement {
  return element(
    "details",
    { class: "copy-as" },
    element("summary", { class: "button small" }, "Copy as…"),
    element("div", { class: "copy-code" }, ...parts),
  );
}

type Kind = ReturnType<typeof listKinds>[number];

/** The button that copies as one kind; `open` shows what is missing in it. */
function drawDirect({ name, hint, write }: Kind, open: () => void): HTMLButtonElement {
  const what = `as ${name.replace(/^curl/, "cURL")}`;
  return copyButton(what, () => {
    if (hint) open();
    return write();
  }, `Copy ${what}`);
}

function listKinds(request: PlainRequest, context: NamedProxy, { note, markdown }: CopyExtras) {
  return [
    ...[...LANGUAGES, PROXIED].map(({ name, write }) => ({
      name,
      hint: note ? `${note}.` : "",
      write: () => write(request, context),
    })),
    ...markdown ? [{ name: "Markdown", hint: SHARED, write: markdown }] : [],
  ];
}
