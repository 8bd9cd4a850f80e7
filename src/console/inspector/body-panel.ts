/**
 * A head and its body: the tabs Request and Response.
 * @module
 */

import type {
  CapturedBody,
  CapturedInterim,
  CapturedRequest,
  CapturedResponse,
  CapturedTimes,
} from "../../parts/capture/capture.ts";
import { decodeBase64 } from "../../core/address/arg.ts";
import { showBody, type ShownBody } from "../answer/body-view.ts";
import { element, hint } from "../page/dom.ts";
import { findField, formatBytes } from "../page/format.ts";
import { readBytes } from "./captured.ts";
import {
  drawBrief,
  drawHead,
  drawInterims,
  drawTrailers,
  redraw,
  requestLine,
  statusLine,
} from "./head-view.ts";

/** What a tab shows. */
export interface BodyPanel {
  interims?: readonly CapturedInterim[] | undefined;
  head: CapturedRequest | CapturedResponse | undefined;
  body: CapturedBody | undefined;
  isRunning: boolean;
  /** The times of its hop; absent for requests. */
  times?: CapturedTimes | undefined;
  end?: string;
  /** True for an answer that is the proxy's own. */
  isByProxy?: boolean;
  /** Leads to all of the head. If it is given, few fields are shown here. */
  more?: () => void;
}

interface Places {
  head: HTMLElement;
  note: HTMLElement;
}

const places = new WeakMap<HTMLElement, Places>();

/** Draws a head, its trailers and its body. Called again with more of them, it keeps scroll position and selection. */
export function drawBodyPanel(
  panel: HTMLElement,
  { interims, head, body, end = "", isByProxy, more }: BodyPanel,
): void {
  const place = places.get(panel) ?? makePlaces(panel, more !== undefined);
  redraw(place.head, [interims, head], () => [
    ...more ? [] : drawInterims(interims),
    ...head ? drawAnyHead(head, isByProxy, more) : [hint("No response yet.")],
    ...more ? [] : drawTrailers(head?.trailers),
  ]);
  redraw(
    place.note,
    [body?.size, body?.isOver, body?.withheld, head !== undefined, end],
    () => [hint(`${describe(body)}${body && end && ` Ended early: ${end}.`}`)],
  );
  // Below the body stands its size again.
  place.note.hidden = more !== undefined && end === "" && hasBytes(body);
}

/** Draws the body of a message, which stands in one panel at a time. */
export function drawBody(place: HTMLElement, { head, body, isRunning, times }: BodyPanel): void {
  place.hidden = !hasBytes(body);
  if (!head || !body || place.hidden) return;
  showBody(place, readShown(head, body, { bytes: readBytes(body), isRunning, times }));
}

function hasBytes(body: CapturedBody | undefined): boolean {
  return body !== undefined && body.base64 !== "";
}

function makePlaces(panel: HTMLElement, isBrief: boolean): Places {
  const made = { head: element("div"), note: element("div") };
  places.set(panel, made);
  panel.replaceChildren(made.head, ...isBrief ? [] : [element("h4", {}, "Body")], made.note);
  return made;
}

function drawAnyHead(
  head: CapturedRequest | CapturedResponse,
  isByProxy = false,
  more?: () => void,
): Node[] {
  if ("status" in head) {
    const title = `Response of the ${isByProxy ? "proxy" : "target"}`;
    const line = statusLine(head);
    return more ? drawBrief(title, line, head.headers, more) : drawHead(title, line, head.headers);
  }
  const title = "Request to the target";
  // The head of the pane says what is asked for.
  return more ? drawBrief(title, "", head.headers, more) : drawHead(title, requestLine(head), head.headers);
}

function readShown(
  head: CapturedRequest | CapturedResponse,
  body: CapturedBody,
  { bytes, isRunning, times }: Pick<ShownBody, "bytes" | "isRunning"> & Pick<BodyPanel, "times">,
): ShownBody {
  return {
    bytes,
    type: findField(head.headers, "content-type") ?? "",
    encoding: body.isDecoded ? "" : findField(head.headers, "content-encoding") ?? "",
    decoded: body.decoded === undefined ? undefined : decodeBase64(body.decoded),
    name: "status" in head ? "response" : "request",
    size: body.size,
    isRunning: isRunning && !body.isOver,
    times: times && body.arrivals &&
      { arrivals: body.arrivals, startMs: times.startMs, endMs: times.endMs },
  };
}

function describe(body: CapturedBody | undefined): string {
  if (!body) return "No body.";
  if (body.withheld !== undefined) return `${formatBytes(body.size)}, not kept: ${body.withheld}.`;
  const kept = readBytes(body).length;
  if (kept === 0 && body.size > 0) return `${formatBytes(body.size)} passed; capture keeps headers only.`;
  if (kept < body.size) return `The first ${formatBytes(kept)} of ${formatBytes(body.size)} are kept.`;
  return body.isOver ? `${formatBytes(body.size)}.` : `${formatBytes(body.size)} so far.`;
}
