/**
 * What can be done with a request: edit it, send it again, copy it, save it, compare it.
 * @module
 */

import type { Capture } from "../../parts/capture/capture.ts";
import { button, copyButton, hint, say } from "../page/dom.ts";
import type { PlainRequest } from "../share/languages/request-parts.ts";
import type { InspectedEntry, InspectorContext } from "./context.ts";
import { readBodyText, requestOf, responseOf } from "./captured.ts";
import { drawCopies } from "./copy-menu.ts";
import { saveHar } from "./har-files.ts";
import { writeMarkdown } from "./markdown.ts";
import { drawPin } from "./pins.ts";
import { openSocket, type Repeat, repeatCapture, tellMissing } from "./repeat.ts";

/** The request as it is known now, and how it is shown beside another one. */
export interface Comparing {
  now(): Capture;
  compare(other: Capture): void;
}

const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Draws the buttons, and one for the setting that would have allowed the request. */
export function drawTools(
  entry: InspectedEntry,
  capture: Capture | undefined,
  context: InspectorContext,
  comparing: Comparing,
): Node[] {
  const { setting } = entry;
  const tools = [
    ...drawActions(entry, capture, context, comparing),
    ...capture ? drawCompare(capture, comparing) : [],
    drawPin(entry.key, comparing.now),
  ];
  if (setting === undefined) return tools;
  const copy = copyButton(`the setting ${setting}`, () => setting);
  copy.title = setting;
  return [...tools, copy];
}

/** Without a captured request there is the address only, which the builder completes. */
function drawActions(
  entry: InspectedEntry,
  capture: Capture | undefined,
  context: InspectorContext,
  { now }: Comparing,
): Node[] {
  const repeat = capture ? repeatCapture(capture, entry.address) : undefined;
  if (!capture || !repeat) return drawAddress(entry, context);
  const missing = tellMissing(repeat);
  const opened = openSocket(repeat.request, entry.status, capture.request);
  const reason = hint("", { role: "status" });
  return [
    button("Edit", () => {
      noteOriginal(now());
      context.load(opened, missing, repeat.masked);
    }),
    button("Replay", () => {
      noteOriginal(now());
      if (missing === undefined) return context.replay(opened);
      reason.textContent = explainRefusal(repeat, missing);
    }),
    entry.capture === undefined && button("Save HAR", () => void saveHar(context.ticket, [capture.id])),
    ...drawCopies(repeat.request, context, { note: missing, markdown: () => writeShared(now()) }),
    reason,
  ].filter((child) => child instanceof Node);
}

async function writeShared(capture: Capture): Promise<string> {
  const { requestBody, responseBody } = capture;
  return writeMarkdown(capture, {
    request: await readBodyText(requestBody, requestOf(capture).headers),
    response: await readBodyText(responseBody, responseOf(capture)?.headers),
  });
}

/** What the request can be compared with, and the button that marks it for others. */
function drawCompare(capture: Capture, { now, compare }: Comparing): Node[] {
  const isMarked = () => marked?.id === capture.id;
  const mark = button("Mark to compare", () => {
    marked = isMarked() ? undefined : now();
    mark.setAttribute("aria-pressed", String(isMarked()));
    say(isMarked() ? "Marked to compare others with it" : "No request is marked");
  });
  mark.setAttribute("aria-pressed", String(isMarked()));
  const others = listOthers(capture).map(([name, other]) =>
    button(`Compare with ${name}`, () => compare(other))
  );
  return [mark, ...others];
}

function drawAddress(entry: InspectedEntry, context: InspectorContext): Node[] {
  const { address, method } = entry;
  const own = context.findOwn(entry);
  if (own) {
    return [
      button("Edit", () => context.load(own)),
      button("Replay", () => context.replay(own)),
      ...drawCopies(own, context),
    ];
  }
  if (address === undefined) return [];
  const plain: PlainRequest = { method, url: address, headers: [] };
  const request = openSocket(plain, entry.status, plain);
  const parts = ["headers", method !== "GET" && method !== "HEAD" && "body", entry.isPartial && "query"];
  const left = parts.filter(Boolean).join(", ");
  return [
    button("Edit", () => context.load(request, `Not captured: ${left}. Add what the target needs`)),
    // Sent again without its fields, it does nothing but read.
    ...(SAFE.has(method) && !entry.isPartial ? [button("Replay", () => context.replay(request))] : []),
  ];
}

function explainRefusal({ masked }: Repeat, missing: string): string {
  return masked.length > 0
    ? `Not sent: ${missing}. Edit fills in the rest of the request.`
    : `Not sent: ${missing}. Edit opens the request without it.`;
}

/** Maximum number of requests that are remembered as originals. */
const MOST = 50;
/** The request that others are compared with, and those that were sent again, as they were or changed. */
let marked: Capture | undefined;
let originals: readonly Capture[] = [];

function noteOriginal(original: Capture): void {
  originals = [...originals.slice(1 - MOST), original];
}

/** What a request may be compared with; for one that this page sent, the latest before it that went to the same path. */
function listOthers(capture: Capture): [name: string, other: Capture][] {
  const original = originals.findLast((other) =>
    capture.isOwn && other.id !== capture.id && other.time <= capture.time &&
    placeOf(other) === placeOf(capture)
  );
  return [
    ...marked && marked.id !== capture.id ? [["marked", marked] as [string, Capture]] : [],
    ...original ? [["original", original] as [string, Capture]] : [],
  ];
}

function placeOf(capture: Capture): string {
  return requestOf(capture).url.split("?", 1)[0] ?? "";
}
