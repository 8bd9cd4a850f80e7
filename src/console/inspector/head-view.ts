/**
 * The head of a message: its first line and its fields, as on the wire.
 * @module
 */

import type {
  CapturedInterim,
  CapturedRequest,
  CapturedResponse,
  FieldLine,
} from "../../parts/capture/capture.ts";
import { copyButton, element } from "../page/dom.ts";
import { formatSpan } from "../page/format.ts";
import { isMasked } from "./captured.ts";

/** The first line of a request. */
export function requestLine({ method, url }: CapturedRequest): string {
  return `${method} ${url}`;
}

/** The first line of a response. */
export function statusLine({ status, statusText }: CapturedResponse): string {
  return `${status} ${statusText}`.trim();
}

/** Draws a head, with a button that copies it. */
export function drawHead(title: string, line: string, fields: readonly FieldLine[]): Node[] {
  const write = () => [line, ...fields.map(([name, value]) => `${name}: ${value}`)].join("\n");
  return [
    element("div", { class: "pane-head" }, element("h4", {}, title), copyButton(title, write)),
    element("p", { class: "first-line" }, line),
    fields.length > 0 ? drawFields(fields) : element("p", { class: "hint" }, "No fields."),
  ];
}

/** Draws the fields behind a body. */
export function drawTrailers(fields: readonly FieldLine[] = []): Node[] {
  return fields.length > 0 ? [element("h4", {}, "Trailers"), drawFields(fields)] : [];
}

/** Draws what the target said before its answer. */
export function drawInterims(interims: readonly CapturedInterim[] = []): Node[] {
  return interims.flatMap(({ atMs, ...head }) => [
    element("h4", {}, `Interim response after ${formatSpan(atMs)}`),
    element("p", { class: "first-line" }, statusLine(head)),
    ...head.headers.length > 0 ? [drawFields(head.headers)] : [],
  ]);
}

function drawFields(fields: readonly FieldLine[]): HTMLElement {
  return element("dl", { class: "lines" }, ...fields.map(drawField));
}

function drawField([name, value]: FieldLine): HTMLElement {
  return element("div", {}, element("dt", {}, name), drawValue("dd", value));
}

/** Draws a value; a masked one says that it is. */
export function drawValue(tag: "dd" | "td" | "span", value: string): HTMLElement {
  const made = element(
    tag,
    isMasked(value) ? { class: "masked", title: "A secret, masked by its length and a digest" } : {},
  );
  made.textContent = value;
  return made;
}
