/**
 * Shows the answer to a request, from the moment that it is sent: how long it takes, head, body, and what went wrong.
 * @module
 */

import type { ReadyRequest } from "../builder/compose-request.ts";
import type { Received } from "../builder/sending.ts";
import { button, element, find, Tabs } from "../page/dom.ts";
import { findField, formatBytes, formatSpan, statusClass } from "../page/format.ts";
import { listFields, nameFile, readWire, renderFields } from "./answer-fields.ts";
import { renderNotes } from "./answer-notes.ts";
import { ownAddress } from "../page/own-requests.ts";

type Part = "body" | "fields";

/** The part of a request that its answer depends on. */
type Asked = Pick<ReadyRequest, "method" | "url">;

/** Sends a request again for the whole body of a response with the same status. */
type FetchWhole = (signal: AbortSignal, status: number) => Promise<Blob>;

interface Sent {
  request: Asked;
  stopButton: HTMLElement;
  fetchWhole: FetchWhole;
  start: number;
  received?: Received;
  isRunning: boolean;
}

/** Milliseconds after which the time is shown anew. */
const TICK_MS = 200;

/** The parts stay from one answer to the next, and with them the chosen tabs. */
const bodyPlace = element("div", { class: "part" });
/** Stands where the body will be until there is a byte of it, and what shows it is loaded. */
const bodyWait = element("p", { class: "empty" });
const panel = element("div", { class: "part" });
const tabs = new Tabs<Part>("Parts of the response", () => panel, showPart);
const facts = element("div", { class: "facts" });
const summary = element("div", { class: "summary" }, facts);
const notes = element("div", { class: "notes" });
let sent: Sent | undefined;
let clock: ReturnType<typeof setInterval> | undefined;
let frame = 0;

/** Shows that nothing was sent yet. */
export function showNothing(): void {
  find("answer-view").replaceChildren(element(
    "div",
    { class: "empty" },
    element("p", {}, "Nothing sent yet."),
    element("p", {}, element("kbd", {}, "Ctrl"), " + ", element("kbd", {}, "Enter"), " sends the request."),
  ));
}

/** Shows something else than a response, such as a WebSocket. */
export function showPanel(panel: HTMLElement): void {
  end();
  sent = undefined;
  find("answer-view").replaceChildren(panel);
  leadHere();
}

/** Shows that a request is on its way; the answer before goes. */
export function showWaiting(request: Asked, stop: () => void, fetchWhole: FetchWhole): void {
  end();
  const stopButton = button("Stop", stop);
  sent = { request, stopButton, fetchWhole, start: performance.now(), isRunning: true };
  find("answer-status").textContent = "Sent, waiting for the response";
  const text = element("span", { class: "waiting-text" }, "Waiting for the target…");
  const seconds = element("span", { class: "fact", "aria-hidden": "true" });
  find("answer-view").replaceChildren(
    element("div", { class: "waiting" }, element("span", {}, text, " ", seconds), stopButton),
  );
  const { start } = sent;
  clock = setInterval(() => {
    seconds.textContent = formatSpan(performance.now() - start);
    if (sent?.received) writeSummary(sent);
  }, TICK_MS);
  leadHere();
  performance.clearResourceTimings();
  // Where it cannot be loaded, whoever needs it says so.
  import("../after-paint.ts").catch(() => {});
}

/** Shows as much of the answer as has arrived: the head at once, the body as it comes. */
export function showProgress(received: Received): void {
  if (!sent) return;
  const isFirst = sent.received === undefined;
  sent.received = received;
  if (isFirst) openAnswer(sent);
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    if (sent?.isRunning && tabs.chosen === "body") void fillBody(sent);
  });
}

/** Shows a complete answer. */
export function showAnswer(received: Received): void {
  if (!sent) return;
  const isFirst = sent.received === undefined;
  sent.received = received;
  sent.isRunning = false;
  const finished = sent;
  end();
  const { status, statusText, totalMs, body } = received;
  find("answer-status").textContent = `Answered ${status} ${statusText} in ${formatSpan(totalMs)}, ${
    formatBytes(body.length)
  }`;
  if (isFirst) openAnswer(finished);
  writeSummary(finished);
  notes.replaceChildren(...renderNotes(received, false));
  showPart();
}

/** Shows that there is no answer: the request failed, or was not sent at all. */
export function showFailure(message: string): void {
  end();
  sent = undefined;
  find("answer-status").textContent = message;
  find("answer-view").replaceChildren(element("p", { class: "notice bad" }, message));
}

function end(): void {
  clearInterval(clock);
  cancelAnimationFrame(frame);
  frame = 0;
}

/** The answer stands below the request on a phone: whoever sends is led to it. */
function leadHere(): void {
  const answer = find("answer");
  const { top, bottom } = answer.getBoundingClientRect();
  if (top > innerHeight * .6 || bottom < 80) answer.scrollIntoView({ block: "start" });
}

function openAnswer(opened: Sent): void {
  const { received } = opened;
  if (!received) return;
  writeSummary(opened);
  notes.replaceChildren(...renderNotes(received, opened.isRunning));
  const count = listFields(received.headers, received.changed).length;
  tabs.write([{ name: "body", label: "Body" }, { name: "fields", label: `Headers (${count})` }]);
  tabs.choose(tabs.chosen ?? "body");
  bodyWait.textContent = "No byte of the body yet.";
  bodyPlace.replaceChildren(bodyWait);
  showPart();
  find("answer-view").replaceChildren(summary, notes, element("div", {}, tabs.element, panel));
}

function writeSummary({ received, isRunning, start, stopButton }: Sent): void {
  if (!received) return;
  const { status, statusText, headMs, totalMs, body, isCut } = received;
  const size = `${formatBytes(body.length)}${isCut ? "+" : ""}`;
  const { removed } = readWire(received.headers, body.length, readSeen());
  if (!isRunning) stopButton.remove();
  else if (stopButton.parentNode !== summary) summary.replaceChildren(facts, stopButton);
  facts.replaceChildren(
    element(
      "strong",
      { class: `status ${statusClass(status)}` },
      `${status}${statusText && ` ${statusText}`}`,
    ),
    fact("TTFB", formatSpan(headMs)),
    fact(isRunning ? "so far" : "total", formatSpan(isRunning ? performance.now() - start : totalMs)),
    fact("size", !isRunning && removed ? `${formatBytes(removed.bytes)} on the wire, ${size} decoded` : size),
  );
}

function showPart(): void {
  const { received } = sent ?? {};
  if (!sent || !received) return;
  if (tabs.chosen === "fields") {
    return panel.replaceChildren(renderFields(listFields(received.headers, received.changed)));
  }
  if (panel.firstChild !== bodyPlace) panel.replaceChildren(bodyPlace);
  void fillBody(sent);
}

async function fillBody(filled: Sent): Promise<void> {
  const { received, request, isRunning } = filled;
  if (!received) return;
  const { body, headers, isCut } = received;
  if (body.length === 0) {
    if (isRunning) return;
    const isHead = request.method === "HEAD";
    const reason = isHead ? "HEAD is answered without a body." : "The response has no body.";
    return bodyPlace.replaceChildren(element("p", { class: "empty" }, reason));
  }
  bodyWait.textContent = "Opening the body…";
  try {
    const { showBody } = await import("../after-paint.ts");
    if (filled !== sent || isRunning !== filled.isRunning) return;
    const encoding = isRunning ? "" : readWire(headers, body.length, readSeen()).encoding;
    // Any other request could do something twice.
    const canRepeat = isCut && request.method === "GET" && encoding === "";
    showBody(bodyPlace, {
      bytes: body,
      type: findField(headers, "content-type") ?? "",
      encoding,
      name: nameFile(headers, received.finalUrl ?? request.url),
      size: isCut || received.broken ? Math.max(readLength(headers), body.length + 1) : body.length,
      isRunning,
      fetchWhole: canRepeat ? (signal) => filled.fetchWhole(signal, received.status) : undefined,
    });
  } catch {
    bodyPlace.replaceChildren(
      element("p", { class: "notice bad" }, "Cannot load this part: reload the page."),
    );
  }
}

/** Bytes of the body as the browser counted them on the wire; 0 if it does not tell. */
function readSeen(): number {
  const entry = performance.getEntriesByName(ownAddress("send")).at(-1);
  return entry instanceof PerformanceResourceTiming ? entry.encodedBodySize : 0;
}

function readLength(headers: Received["headers"]): number {
  return Number(headers.find(([name, value]) => name === "content-length" && /^\d+$/.test(value))?.[1] ?? 0);
}

function fact(name: string, value: string): HTMLElement {
  return element("span", { class: "fact" }, element("small", {}, name), ` ${value}`);
}
