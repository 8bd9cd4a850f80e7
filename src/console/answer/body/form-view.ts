/**
 * A form as its fields.
 * @module
 * @see URL §5.1 (application/x-www-form-urlencoded)
 */

import { element } from "../../page/dom.ts";
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
    update({ readText }: Content) {
      const fields = [...new URLSearchParams(readText())];
      count = fields.length;
      list.replaceChildren(
        ...fields.slice(0, MAX_FIELDS).flatMap(([name, value]) => [
          element("dt", {}, name),
          element("dd", {}, value),
        ]),
      );
    },
    readNote: () =>
      `${count.toLocaleString("en")} ${count === 1 ? "field" : "fields"}, decoded${
        count > MAX_FIELDS ? "; the rest is in Raw" : ""
      }`,
  };
}
