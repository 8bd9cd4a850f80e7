/**
 * A form as its fields.
 * @module
 * @see URL §5.1 (application/x-www-form-urlencoded), RFC 7578 (multipart/form-data)
 */

import { readBoundary } from "../../builder/form-text.ts";
import { element, terms } from "../../page/dom.ts";
import { essenceOf, formatBytes } from "../../page/format.ts";
import { createDecoder, MULTIPART } from "./body-kind.ts";
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

/** One part. */
export interface BodyPart {
  name: string;
  /** Absent for a field that is no file. */
  fileName?: string;
  /** Its media type; `""` if it names none. */
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** The parts as far as they are there; none if the type names no boundary. */
export function readParts(bytes: Uint8Array<ArrayBuffer>, type: string): BodyPart[] {
  const boundary = readBoundary(type);
  if (boundary === undefined) return [];
  // One character for each byte, so that places are those of the bytes.
  const text = `\r\n${new TextDecoder("latin1").decode(bytes)}`;
  const mark = `\r\n--${boundary}`;
  const parts: BodyPart[] = [];
  for (let at = text.indexOf(mark); at >= 0 && !text.startsWith("--", at + mark.length);) {
    const start = at + mark.length;
    const next = text.indexOf(mark, start);
    const head = text.indexOf("\r\n\r\n", start);
    if (head < 0) break;
    const end = next < 0 ? text.length : next;
    const body = bytes.subarray(Math.min(head + 4, end) - 2, end - 2);
    parts.push({ ...readHead(new TextDecoder().decode(bytes.subarray(start - 2, head - 2))), bytes: body });
    at = next;
  }
  return parts;
}

function readHead(head: string): Omit<BodyPart, "bytes"> {
  const [line = ""] = /^content-disposition:.*$/im.exec(head) ?? [];
  const fileName = /\bfilename="([^"]*)"/i.exec(line)?.[1];
  return {
    name: /\bname="([^"]*)"/i.exec(line)?.[1] ?? "",
    ...(fileName !== undefined && { fileName }),
    type: (/^content-type:.*$/im.exec(head)?.[0] ?? "").slice("content-type:".length).trim(),
  };
}
