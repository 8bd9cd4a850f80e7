/**
 * The head of a message: its first line and its fields, as on the wire; and parts of the pane that are drawn anew only if they have
 * changed.
 * @module
 */

import type {
  CapturedInterim,
  CapturedRequest,
  CapturedResponse,
  FieldLine,
} from "../../parts/capture/capture.ts";
import { button, copyButton, element, hint } from "../page/dom.ts";
import { formatSpan } from "../page/format.ts";
import { isMasked } from "./captured.ts";

/** Fields that nearly every message has, and that seldom say why it went as it did. */
const USUAL =
  /^(?:host|connection|keep-alive|accept(?:-.*)?|sec-.*|user-agent|content-length|date|server|vary|etag|transfer-encoding|priority|dnt|pragma|cache-control|upgrade-insecure-requests|via|cdn-loop|forwarded|x-forwarded-.*|x-powered-by)$/i;
/** The most fields of a brief head. */
const MOST_BRIEF = 5;

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
    fields.length > 0 ? drawFields(fields) : hint("No fields."),
  ];
}

/** Draws the first line, if any, and the fields that tell most; a button leads to all of them. */
export function drawBrief(
  title: string,
  line: string,
  fields: readonly FieldLine[],
  more: () => void,
): Node[] {
  const told = fields.filter(([name]) => !USUAL.test(name)).slice(0, MOST_BRIEF);
  const left = fields.length - told.length;
  const label = `${left} more fields: ${title}`;
  const rest = button(`+ ${left} more`, more, { class: "quiet small", "aria-label": label });
  return [
    element("h4", {}, title),
    ...line ? [element("p", { class: "first-line" }, line)] : [],
    ...told.length > 0 ? [drawFields(told)] : [],
    ...left > 0 ? [rest] : [],
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

/** Draws a table: its title with a note, the names of its columns if they have some, and its rows. */
export function drawTable(
  kind: string | undefined,
  [title, note]: readonly [title: string, note?: string],
  names: readonly string[],
  rows: readonly Node[],
): HTMLTableElement {
  const heads = names.map((name) => element("th", { scope: "col" }, name));
  return element(
    "table",
    { class: kind },
    element("caption", {}, title, note !== undefined && element("small", {}, note)),
    names.length > 0 && element("thead", {}, element("tr", {}, ...heads)),
    element("tbody", {}, ...rows),
  );
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

const drawn = new WeakMap<HTMLElement, string>();

/**
 * Draws what depends on `facts`.
 *
 * @param facts what JSON can hold
 * @returns true if it was drawn
 */
export function redraw(place: HTMLElement, facts: unknown, draw: () => readonly Node[]): boolean {
  const signature = JSON.stringify(facts);
  if (drawn.get(place) === signature) return false;
  drawn.set(place, signature);
  place.replaceChildren(...draw());
  return true;
}
