/**
 * A form as its fields.
 * @module
 * @see URL §5.1 (application/x-www-form-urlencoded)
 */

import { element, terms } from "../../page/dom.ts";
import { essenceOf, formatBytes } from "../../page/format.ts";
import { createDecoder, MULTIPART } from "./body-kind.ts";
import { readParts } from "./multipart-parts.ts";
import type { Content, View } from "./view.ts";

/** More fields are left to the raw view. */
const MAX_FIELDS = 1_000;

/** The fields of a form. */
export function makeFormView(): View {
  const list = element("dl", {
    class: "headers",
    tabindex: 0,
    role: "group",
    "aria-label": "Fields of the form",
  });
  let count = 0;
  return {
    element: list,
    update(content: Content) {
      const fields = readFields(content);
      count = fields.length;
      list.replaceChildren(...terms(fields.slice(0, MAX_FIELDS)));
    },
    readNote: () =>
      `${count.toLocaleString("en")} ${count === 1 ? "field" : "fields"}, decoded${
        count > MAX_FIELDS ? "; the rest is in Raw" : ""
      }`,
  };
}

function readFields({ bytes, type, readText }: Content): [name: string, value: string][] {
  if (essenceOf(type) !== MULTIPART) return [...new URLSearchParams(readText())];
  return readParts(bytes, type).map(({ name, fileName, type, bytes }) => [
    name,
    fileName === undefined
      ? createDecoder(type).decode(bytes)
      : [fileName || "no name", type, formatBytes(bytes.length)].filter(Boolean).join(", "),
  ]);
}
