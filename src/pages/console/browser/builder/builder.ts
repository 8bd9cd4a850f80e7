/**
 * The request builder: its fields and the draft they form.
 * @module
 */

import { connectTabs, element, find } from "../page/dom.ts";
import type { BodyKind, Draft } from "./request.ts";

/** The builder. */
export interface Builder {
  /** Reads its content. */
  read(): Draft;
  /** Fills it, and shows the parts in use. */
  write(draft: Draft): void;
  /** Scrolls it into view, with an optional message. */
  present(problem?: string): void;
}

const HINTS: Readonly<Record<BodyKind, string>> = {
  none: "No body goes out.",
  json: "Sent as application/json, unless a header says otherwise.",
  form: "name=value pairs, percent-encoded, joined by & or one on each line.",
  raw: "Sent as it stands; give it a content-type header where the target needs one.",
};

/** Makes the builder work; `onChange` runs after every change, `onSend` when the user sends the request. */
export function openBuilder(onChange: () => void, onSend: () => void): Builder {
  const form = find<HTMLFormElement>("builder");
  const fields = openFields(onChange);
  connectTabs(form.querySelector<HTMLElement>("[role=tablist]")!);
  form.addEventListener("input", () => {
    showBody();
    showCounts(fields.read().length);
    onChange();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    onSend();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onSend();
  });
  find("body-format").addEventListener("click", () => {
    formatBody();
    onChange();
  });
  const write = (draft: Draft) => {
    writeMethod(draft.method);
    find<HTMLInputElement>("address").value = draft.address;
    fields.write(draft.headers);
    find<HTMLTextAreaElement>("body").value = draft.body;
    writeKind(draft.kind);
    find<HTMLInputElement>("follow").checked = draft.follow;
    showBody();
    showCounts(draft.headers.length);
    find(draft.kind !== "none" && draft.headers.length === 0 ? "tab-body" : "tab-headers").click();
    onChange();
  };
  showBody();
  return { read: () => readDraft(fields.read()), write, present };
}

function present(problem?: string): void {
  const address = find<HTMLInputElement>("address");
  find("request").scrollIntoView({ block: "start" });
  address.focus({ preventScroll: true });
  if (problem) find("builder-problem").textContent = problem;
}

function readDraft(headers: Draft["headers"]): Draft {
  return {
    method: find<HTMLSelectElement>("method").value || find<HTMLInputElement>("method-other").value.trim(),
    address: find<HTMLInputElement>("address").value,
    headers,
    kind: readKind(),
    body: find<HTMLTextAreaElement>("body").value,
    follow: find<HTMLInputElement>("follow").checked,
  };
}

function readKind(): BodyKind {
  return document.querySelector<HTMLInputElement>("input[name=kind]:checked")?.value as BodyKind ?? "none";
}

function writeKind(kind: BodyKind): void {
  for (const radio of document.querySelectorAll<HTMLInputElement>("input[name=kind]")) {
    radio.checked = radio.value === kind;
  }
}

function writeMethod(method: string): void {
  const select = find<HTMLSelectElement>("method");
  const isListed = [...select.options].some(({ value }) => value === method && value !== "");
  select.value = isListed ? method : "";
  if (!isListed) find<HTMLInputElement>("method-other").value = method;
}

function showBody(): void {
  const kind = readKind();
  find("body").hidden = kind === "none";
  find("body-format").hidden = kind !== "json";
  find("body-hint").textContent = HINTS[kind];
  find("method-other").hidden = find<HTMLSelectElement>("method").value !== "";
  const placeholders: Record<BodyKind, string> = {
    none: "",
    json: '{ "name": "value" }',
    form: "name=value",
    raw: "",
  };
  find<HTMLTextAreaElement>("body").placeholder = placeholders[kind];
}

function showCounts(headers: number): void {
  find("header-count").textContent = headers > 0 ? String(headers) : "";
  find("body-count").textContent = readKind() === "none" ? "" : "•";
}

function formatBody(): void {
  const area = find<HTMLTextAreaElement>("body");
  try {
    area.value = JSON.stringify(JSON.parse(area.value), null, 2);
  } catch {
    // Invalid text stays; the builder shows why.
  }
}

/** Rows of name and value. The last one is always empty. */
function openFields(
  onChange: () => void,
): { read(): Draft["headers"]; write(headers: Draft["headers"]): void } {
  const rows = find("header-rows");
  const inputs = () =>
    [...rows.children].map((row) =>
      [...row.querySelectorAll("input")] as [HTMLInputElement, HTMLInputElement]
    );
  const read = () =>
    inputs().map(([name, value]): [string, string] => [name.value.trim(), value.value.trim()])
      .filter(([name, value]) => name !== "" || value !== "");
  const append = (name = "", value = "") => rows.append(fieldRow(name, value, remove));
  const remove = (row: HTMLElement) => {
    (row.nextElementSibling ?? row).querySelector("input")?.focus();
    if (row.nextElementSibling) row.remove();
    showCounts(read().length);
    onChange();
  };
  rows.addEventListener("input", () => {
    const last = inputs().at(-1);
    if (last && (last[0].value !== "" || last[1].value !== "")) append();
  });
  append();
  return {
    read,
    write(headers) {
      rows.replaceChildren();
      for (const [name, value] of headers) append(name, value);
      append();
    },
  };
}

function fieldRow(name: string, value: string, remove: (row: HTMLElement) => void): HTMLElement {
  const plain = { autocomplete: "off", spellcheck: "false", autocapitalize: "off" };
  const names = element("input", {
    ...plain,
    "aria-label": "Header name",
    placeholder: "header",
    list: "header-names",
  });
  const values = element("input", { ...plain, "aria-label": "Header value", placeholder: "value" });
  names.value = name;
  values.value = value;
  const row = element("div", { class: "field" }, names, values);
  row.append(element("button", {
    type: "button",
    class: "quiet drop",
    "aria-label": "Remove header",
    click: () => remove(row),
  }, "×"));
  return row;
}
