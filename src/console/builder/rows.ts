/**
 * Rows of name and value: headers, parameters, the fields of a form. The last row is always empty.
 * @module
 */

import { button, element } from "../page/dom.ts";
import type { Lines } from "../page/format.ts";
import type { FormField, NamedFile } from "./draft.ts";
import type { HeaderMark } from "./header-rows.ts";

/** What the rows are called, and what they may hold. */
export interface RowLabels {
  /** Such as `Header`: the inputs are `Header name` and `Header value`. */
  what: string;
  /** The id of a `datalist` with names. */
  list?: string;
  takesFiles?: boolean;
}

/** Rows on the page. */
export type Rows = ReturnType<typeof openRows>;

const PLAIN = { autocomplete: "off", spellcheck: "false", autocapitalize: "off" };

/** Opens rows; `onChange` runs after every change by the user. */
export function openRows(place: HTMLElement, labels: RowLabels, onChange: () => void) {
  const rows = () => [...place.children].map((row) => row as HTMLElement & { row: Row });
  const change = () => {
    const last = rows().at(-1);
    if (!last || !isEmpty(last.row.read())) append();
    onChange();
  };
  const append = (field: FormField = { name: "", value: "" }) => {
    const row = makeRow(labels, field, change, (made) => {
      (made.nextElementSibling ?? made).querySelector("input")?.focus();
      if (made.nextElementSibling) made.remove();
      change();
    });
    place.append(row.node);
  };
  const read = () => rows().map(({ row }) => row.read()).filter((field) => !isEmpty(field));
  const write = (fields: readonly FormField[]) => {
    place.replaceChildren();
    for (const field of fields) append(field);
    append();
  };
  place.addEventListener("input", change);
  append();
  return {
    /** The rows that are not empty, as typed. */
    read,
    /** The same without files, names without blanks around them. */
    readPairs: () => read().map(({ name, value }): [name: string, value: string] => [name.trim(), value]),
    write,
    writePairs: (pairs: Lines) => write(pairs.map(([name, value]) => ({ name, value }))),
    /** Shows a mark at each row that `read` gives. */
    mark(marks: readonly (HeaderMark | undefined)[]) {
      const filled = rows().filter(({ row }) => !isEmpty(row.read()));
      for (const [index, { row }] of filled.entries()) row.mark(marks[index]);
      rows().at(-1)?.row.mark(undefined);
    },
  };
}

interface Row {
  node: HTMLElement;
  read(): FormField;
  mark(mark: HeaderMark | undefined): void;
}

function makeRow(
  { what, list, takesFiles }: RowLabels,
  field: FormField,
  onChange: () => void,
  remove: (row: HTMLElement) => void,
): Row {
  const names = element("input", { ...PLAIN, "aria-label": `${what} name`, placeholder: "name", list });
  const values = element("input", { ...PLAIN, "aria-label": `${what} value`, placeholder: "value" });
  const mark = element("small", { class: "mark" });
  const label = `Remove ${what.toLowerCase()}`;
  const drop = button("×", () => remove(node), { class: "quiet drop", "aria-label": label });
  let { file } = field;
  const showName = () => void (names.title = names.value);
  names.addEventListener("input", showName);
  names.value = field.name;
  showName();
  const show = () => {
    values.value = file ? `${file.name} (${file.content.size.toLocaleString("en")} bytes)` : field.value;
    values.readOnly = file !== undefined;
  };
  const choose = takesFiles && filePicker((chosen) => {
    file = chosen;
    show();
    onChange();
  });
  const node = element("div", { class: `field${choose ? " files" : ""}` }, names, values, choose, drop, mark);
  show();
  const row: Row = {
    node,
    read: () => ({ name: names.value, value: file ? "" : values.value, ...(file && { file }) }),
    mark: (said) => showMark(node, mark, names, said),
  };
  return Object.assign(node, { row }).row;
}

function showMark(
  node: HTMLElement,
  mark: HTMLElement,
  names: HTMLInputElement,
  said: HeaderMark | undefined,
): void {
  if (mark.textContent === (said?.text ?? "")) return;
  mark.textContent = said?.text ?? "";
  node.dataset["mark"] = said?.kind ?? "";
  names.toggleAttribute("aria-invalid", said?.kind === "wrong");
  names.setAttribute("aria-description", said?.text ?? "");
}

/** A button that lets the user choose a file. */
export function filePicker(onChoose: (file: NamedFile) => void): HTMLElement {
  const input = element("input", { type: "file", class: "sr", "aria-label": "File", tabindex: -1 });
  input.addEventListener("change", () => {
    const [file] = input.files ?? [];
    if (file) onChoose({ name: file.name, type: file.type, content: file });
    input.value = "";
  });
  // What is typed into it is no change of the rows.
  input.addEventListener("input", (event) => event.stopPropagation());
  return element("span", { class: "picker" }, button("File…", () => input.click()), input);
}

function isEmpty({ name, value, file }: FormField): boolean {
  return name === "" && value === "" && file === undefined;
}
