/**
 * Two captured requests beside each other: what the targets had and sent, and how long it took.
 * @module
 */

import type { Capture, FieldLine } from "../../parts/capture/capture.ts";
import { readPhases } from "../../parts/console/hop-phases.ts";
import { hint } from "../page/dom.ts";
import { formatBytes, formatClock, formatSpan } from "../page/format.ts";
import { readBodyText, readBytes, requestOf, responseOf } from "./captured.ts";
import { compareFields, countChanges, type DiffLine, diffLines } from "./changes.ts";
import { type DiffRow, drawDiff, drawTables, rowOf, rowOfLines } from "./changes-view.ts";
import { requestLine, statusLine } from "./head-view.ts";
import { judgeConnection, PHASE_NAMES } from "./timing.ts";

/** Lines that stay beside those that differ. */
const BESIDE = 3;
/** Rows that are drawn: a target can send lines without end. */
const MOST_ROWS = 2_000;

type Message = ReturnType<typeof messageOf>;

/** Draws two requests, the first on the left. */
export async function drawCompared(pair: readonly [Capture, Capture]): Promise<HTMLElement> {
  const [left, right] = pair.map(({ time }) => formatClock(time));
  const heads = [`Earlier, ${left}`, `Later, ${right}`];
  const [before = [], after = []] = pair.map(listTimes);
  return drawTables([
    ...await drawMessages("Request", heads, pair),
    ...await drawMessages("Response", heads, pair),
    drawFields("Times", heads, before, after),
  ]);
}

async function drawMessages(
  title: "Request" | "Response",
  heads: string[],
  pair: readonly [Capture, Capture],
): Promise<Node[]> {
  const [before, after] = [messageOf(pair[0], title), messageOf(pair[1], title)];
  const rows = [rowOfLines(before.line, after.line)];
  const fields = drawFields(title, heads, before.head?.headers ?? [], after.head?.headers ?? [], rows);
  const trailers = [before.head?.trailers ?? [], after.head?.trailers ?? []] as const;
  const hasTrailers = trailers.flat().length > 0;
  return [
    fields,
    ...hasTrailers ? [drawFields(`${title}: trailers`, heads, ...trailers)] : [],
    await drawBodies(`${title} body`, heads, [before, after]),
  ];
}

function drawFields(
  title: string,
  heads: readonly string[],
  before: readonly FieldLine[],
  after: readonly FieldLine[],
  first: DiffRow[] = [],
): HTMLElement {
  const changes = compareFields(before, after);
  return drawDiff(title, countChanges(changes), heads, [...first, ...changes.map(rowOf)]);
}

async function drawBodies(title: string, heads: readonly string[], pair: [Message, Message]): Promise<Node> {
  const [before, after] = pair;
  const note = (text: string) => hint(`${title}: ${text}.`);
  const size = (before.body?.size ?? 0) + (after.body?.size ?? 0);
  if (size === 0) return note("none");
  const kept = pair.map(({ body }) => readBytes(body).length);
  const isCut = pair.some(({ body }, at) => (body?.size ?? 0) > (kept[at] ?? 0));
  if (isCut && kept.includes(0)) return note("not kept, so it is not compared");
  const limit = isCut ? ", as far as they are kept" : "";
  if (before.body?.base64 === after.body?.base64) {
    return note(`the same, ${formatBytes(kept[0] ?? 0)}${limit}`);
  }
  const texts = await Promise.all(
    pair.map(({ body, head }) => readBodyText(body, head?.headers)),
  );
  const [left, right] = texts;
  const lines = left === undefined || right === undefined ? undefined : diffLines(left, right);
  const sizes = kept.map((bytes) => formatBytes(bytes)).join(" and ");
  if (!lines) return note(`different, ${sizes}; too large to compare by line, or no text`);
  return drawDiff(title, countChanges(lines) + limit, heads, foldLines(lines));
}

/** The rows of the lines that differ, with a few beside them. */
function foldLines(lines: readonly DiffLine[]): DiffRow[] {
  const rows: DiffRow[] = [];
  const note = (text: string): DiffRow => ({ state: "same", before: text, after: text });
  let left = 0;
  const fold = () => {
    if (left > 0) rows.push(note(`… ${left.toLocaleString("en")} equal ${left === 1 ? "line" : "lines"}`));
    left = 0;
  };
  for (const [at, { state, text }] of lines.entries()) {
    const beside = lines.slice(Math.max(0, at - BESIDE), at + BESIDE + 1);
    if (beside.every((line) => line.state === "same")) left += 1;
    else {
      fold();
      rows.push({ state, before: state === "added" ? "" : text, after: state === "removed" ? "" : text });
    }
  }
  fold();
  return rows.length > MOST_ROWS ? [...rows.slice(0, MOST_ROWS), note("… more")] : rows;
}

function listTimes(capture: Capture): FieldLine[] {
  const hop = capture.hops.at(-1);
  const connection = hop && judgeConnection(hop);
  return [
    ...connection === undefined ? [] : [["Connection", connection] as FieldLine],
    ...(hop ? readPhases(hop.times) : []).map(({ phase, ms }): FieldLine => [
      PHASE_NAMES[phase],
      formatSpan(ms),
    ]),
    ["Total", formatSpan(capture.totalMs)],
  ];
}

function messageOf(capture: Capture, side: "Request" | "Response") {
  if (side === "Request") {
    const head = requestOf(capture);
    return { line: requestLine(head), head, body: capture.requestBody };
  }
  const head = responseOf(capture);
  return { line: head ? statusLine(head) : "no response", head, body: capture.responseBody };
}
