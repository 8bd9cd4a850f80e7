/**
 * What the proxy changed: each head before it beside the head behind it, and the rule of each change.
 * @module
 */

import type { Capture, CapturedHop, CapturedRequest } from "../../parts/capture/capture.ts";
import { element, hint } from "../page/dom.ts";
import { type Change, compareFields, countChanges } from "./changes.ts";
import { drawTable, drawValue, requestLine, statusLine } from "./head-view.ts";
import { explainChange, type Side } from "./explain-change.ts";

interface Comparison {
  side: Side;
  title: string;
  /** What stands on the left and on the right. */
  left: string;
  right: string;
  /** Absent for trailers, which have no first line. */
  lines?: [before: string, after: string, rule: string];
  changes: Change[];
  hop: CapturedHop;
}

type Head = Pick<CapturedRequest, "trailers">;

const SIGNS: Readonly<Record<Change["state"], string>> = { same: "", changed: "≠", removed: "−", added: "+" };

/** How many lines changed, both ways. */
export function countAll(capture: Capture): number {
  return compareAll(capture).reduce(
    (sum, { changes }) => sum + changes.filter(({ state }) => state !== "same").length,
    0,
  );
}

/** Draws the comparisons: to the target, from hop to hop, and back. */
export function drawChanges(capture: Capture): Node[] {
  const all = compareAll(capture);
  if (all.length === 0) {
    return [hint("Nothing went to a target: the proxy answered by itself.")];
  }
  return [
    drawTables([...all.map((one) => drawComparison(one, capture)), hint(describeBodies(capture))]),
  ];
}

/** Puts tables together, with a box that leaves only the rows that differ. */
export function drawTables(tables: readonly Node[]): HTMLElement {
  const place = element("div", { class: "changes" });
  const box = element("input", { type: "checkbox" });
  box.addEventListener("change", () => place.classList.toggle("only", box.checked));
  place.append(element("label", { class: "only-changes" }, box, "Only what changed"), ...tables);
  return place;
}

function compareAll({ request, response, hops, selector }: Capture): Comparison[] {
  const [first] = hops;
  const last = hops.at(-1);
  if (!first || !last) return [];
  const rule = `the target is named by ${selector ?? "the request"}`;
  const toTarget: Comparison = {
    side: "request",
    title: "Request",
    left: "Caller → proxy",
    right: "Proxy → target",
    lines: [requestLine(request), requestLine(first.request), rule],
    changes: compareFields(request.headers, first.request.headers),
    hop: first,
  };
  const moves = hops.slice(1).map((hop, index) => compareHops(hops[index] as CapturedHop, hop, index + 1));
  const trailers = compareTrailers(toTarget, request, first.request);
  if (!last.response || !response) return [toTarget, ...trailers, ...moves];
  const back: Comparison = {
    side: "answer",
    title: "Response",
    left: "Target → proxy",
    right: "Proxy → caller",
    lines: [statusLine(last.response), statusLine(response), "the response is the proxy's own"],
    changes: compareFields(last.response.headers, response.headers),
    hop: last,
  };
  return [toTarget, ...trailers, ...moves, back, ...compareTrailers(back, last.response, response)];
}

/** What became of the fields behind a body; nothing where there are none. */
function compareTrailers({ title, left, right, hop }: Comparison, before: Head, after: Head): Comparison[] {
  const changes = compareFields(before.trailers ?? [], after.trailers ?? []);
  return changes.length > 0
    ? [{ side: "trailers", title: `${title}: trailers`, left, right, changes, hop }]
    : [];
}

function compareHops(before: CapturedHop, hop: CapturedHop, count: number): Comparison {
  return {
    side: "redirect",
    title: `Redirect ${count}: ${before.response ? statusLine(before.response) : ""}`,
    left: "Before",
    right: "Proxy → next target",
    lines: [
      requestLine(before.request),
      requestLine(hop.request),
      "the target redirects, and the proxy follows",
    ],
    changes: compareFields(before.request.headers, hop.request.headers),
    hop,
  };
}

function drawComparison(
  { side, title, left, right, lines, changes, hop }: Comparison,
  capture: Capture,
): HTMLElement {
  const rows = changes.map((change) => ({
    ...rowOf(change),
    rule: explainChange(side, change, capture, hop),
  }));
  const first = lines ? [rowOfLines(...lines)] : [];
  return drawDiff(title, countChanges(changes), [left, right, "Rule"], [...first, ...rows]);
}

/** A row of a comparison, with a rule that says why it differs. */
export interface DiffRow {
  state: Change["state"];
  before: string;
  after: string;
  rule?: string;
}

/** The row of header lines. */
export function rowOf({ state, before, after }: Change): DiffRow {
  return { state, before: write(before), after: write(after) };
}

/** The row of first lines. */
export function rowOfLines(before: string, after: string, rule = ""): DiffRow {
  const isSame = before === after;
  return { state: isSame ? "same" : "changed", before, after, rule: isSame ? "" : rule };
}

/**
 * Draws a comparison.
 *
 * @param heads what stands on the left and on the right, and the heading of the rules if there are any
 */
export function drawDiff(
  title: string,
  note: string,
  heads: readonly string[],
  rows: readonly DiffRow[],
): HTMLElement {
  const drawn = rows.map((row) => drawRow(row, heads.length > 2));
  const table = drawTable("diff", [title, ` – ${note}`], heads, drawn);
  const sign = element("th", { class: "sign" }, element("span", { class: "sr" }, "Change"));
  table.tHead!.rows[0]!.prepend(sign);
  return table;
}

function drawRow({ state, before, after, rule = "" }: DiffRow, hasRule: boolean): HTMLElement {
  return element(
    "tr",
    { class: state },
    element("td", { class: "sign", title: state }, SIGNS[state], element("span", { class: "sr" }, state)),
    drawValue("td", before),
    drawValue("td", after),
    hasRule && element("td", { class: "rule" }, rule),
  );
}

function write(line: Change["before"]): string {
  return line ? `${line[0]}: ${line[1]}` : "";
}

function describeBodies({ requestBody, responseBody }: Capture): string {
  const sizes = [requestBody?.size ?? 0, responseBody?.size ?? 0];
  return `The bodies pass byte for byte: ${sizes[0]} bytes to the target, ${sizes[1]} bytes back.`;
}
