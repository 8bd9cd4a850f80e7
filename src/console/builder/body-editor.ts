/**
 * The Body panel: text, fields or a file, and the content type that belongs to each kind.
 * @module
 */

import { element, find, findRadios } from "../page/dom.ts";
import type { BodyKind, Draft, NamedFile } from "./draft.ts";
import { FORM_TYPE, makeBoundary, readBoundary } from "./form-text.ts";
import { filePicker, openRows } from "./rows.ts";

/** The panel. */
export type BodyEditor = ReturnType<typeof openBody>;

const HINTS: Readonly<Record<BodyKind, string>> = {
  none: "No body goes out.",
  json: "Goes out as typed. Format changes blanks only.",
  form: "Names and values are encoded, & + = too.",
  multipart: "Each row is a part: text as typed, or a file.",
  raw: "Goes out as typed, byte for byte, with LF as line end.",
  file: "The bytes of the file go out as they are.",
};
const OWN_BOUNDARY = "fetchvia-";

/**
 * Opens the panel.
 *
 * @param onKind runs when the user chooses another kind, before `onChange`
 */
export function openBody(onChange: () => void, onKind: (kind: BodyKind) => void) {
  const area = find<HTMLTextAreaElement>("body");
  const form = openRows(find("form-rows"), { what: "Field" }, onChange);
  const parts = openRows(find("part-rows"), { what: "Part", takesFiles: true }, onChange);
  const chosen = openFile(() => {
    onKind("file");
    onChange();
  });
  for (const radio of findRadios("kind")) {
    radio.addEventListener("change", () => {
      showKind();
      onKind(readKind());
    });
  }
  find("body-format").addEventListener("click", () => {
    format(area);
    onChange();
  });
  showKind();
  return {
    read: () => ({
      kind: readKind(),
      body: area.value,
      fields: readKind() === "multipart" ? parts.read() : form.read(),
      ...chosen.read(),
    }),
    write({ kind, body, fields = [], file }: Draft) {
      findRadios("kind").value = kind;
      area.value = body;
      form.write(kind === "form" ? fields : []);
      parts.write(kind === "multipart" ? fields : []);
      chosen.take(file);
      showKind();
    },
  };
}

function openFile(
  onChoose: () => void,
): { read(): Pick<Draft, "file">; take(file: NamedFile | undefined): void } {
  const name = element("span", { class: "chosen" });
  let file: NamedFile | undefined;
  const take = (chosen: NamedFile | undefined) => {
    file = chosen;
    name.textContent = chosen
      ? `${chosen.name}, ${chosen.content.size.toLocaleString("en")} bytes`
      : "No file chosen";
  };
  const choose = (chosen: NamedFile) => {
    take(chosen);
    onChoose();
  };
  find("body-file").append(filePicker(choose), name);
  take(undefined);
  return { read: () => ({ ...(file && { file }) }), take };
}

/** The content type that the builder sets for a kind of body; `undefined` for none. */
export function typeOf(kind: BodyKind, file?: NamedFile): string | undefined {
  if (kind === "json") return "application/json";
  if (kind === "form") return FORM_TYPE;
  if (kind === "multipart") return `multipart/form-data; boundary=${makeBoundary()}`;
  return kind === "file" && file?.type ? file.type : undefined;
}

/** True for a content type that the builder set for a kind, so that another kind may replace it. */
export function isOwnType(type: string, kind: BodyKind, file?: NamedFile): boolean {
  if (kind === "multipart") return readBoundary(type)?.startsWith(OWN_BOUNDARY) ?? false;
  return type === typeOf(kind, file);
}

function readKind(): BodyKind {
  return findRadios("kind").value as BodyKind;
}

function showKind(): void {
  const kind = readKind();
  const area = find<HTMLTextAreaElement>("body");
  // What is typed chooses the kind. Text that does not go out is kept, but not shown.
  area.hidden = !/none|json|raw/.test(kind) || (kind === "none" && area.value !== "");
  find("form-rows").hidden = kind !== "form";
  find("part-rows").hidden = kind !== "multipart";
  find("body-file").hidden = kind !== "file";
  find("body-format").hidden = kind !== "json";
  find("body-hint").textContent = HINTS[kind];
}

function format(area: HTMLTextAreaElement): void {
  try {
    const text = formatJson(area.value);
    area.focus();
    area.select();
    // As if typed, so that the browser's own undo takes it back.
    document.execCommand("insertText", false, text);
  } catch {
    // Text that is no JSON stays; the builder says why.
  }
}

const INDENT = "  ";

/**
 * Indents a JSON text by two blanks a level.
 *
 * @throws {SyntaxError} if it is no JSON
 */
export function formatJson(text: string): string {
  JSON.parse(text);
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  let depth = 0;
  let written = "";
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (token === "{" || token === "[") {
      const isEmpty = next === "}" || next === "]";
      depth += 1;
      written += isEmpty ? token : token + breakLine(depth);
    } else if (token === "}" || token === "]") {
      depth -= 1;
      const before = tokens[index - 1];
      written += before === "{" || before === "[" ? token : breakLine(depth) + token;
    } else if (token === ",") written += token + breakLine(depth);
    else written += token === ":" ? ": " : token;
  }
  return written;
}

function breakLine(depth: number): string {
  return `\n${INDENT.repeat(depth)}`;
}
