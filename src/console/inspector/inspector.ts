/**
 * The inspector: a pane for one request, which is read again while it runs.
 * @module
 */

import type { InspectedEntry, InspectorContext, Missing } from "./context.ts";
import { Pane } from "./pane.ts";
import { readPinned } from "./pins.ts";
import { find } from "../page/dom.ts";
import { loadStyle } from "../page/sheet.ts";
import type { Capture } from "../../parts/capture/capture.ts";
import { listUnknown } from "../answer/body/decoding.ts";
import { askProxy, captureFields } from "../page/own-requests.ts";

interface Shown {
  pane: Pane;
  key: string | undefined;
  stop(): void;
}

let shown: Shown | undefined;

/**
 * Shows a request, and replaces the one that is shown. Called again with the same request, it updates its row's facts and keeps
 * tab, scroll position and selection.
 */
export async function showEntry(entry: InspectedEntry, context: InspectorContext): Promise<void> {
  await loadStyle();
  if (shown && shown.key === keyOf(entry)) return shown.pane.update(entry);
  shown?.stop();
  const pane = shown?.pane ?? new Pane(find("inspector"), context, hideEntry);
  shown = { pane, key: keyOf(entry), stop: () => {} };
  pane.open(entry);
  shown.stop = readEntry(entry, context, pane);
}

/** Closes the pane. */
export function hideEntry(): void {
  shown?.stop();
  shown?.pane.close();
  shown = undefined;
}

function keyOf({ key, capture }: InspectedEntry): string | undefined {
  return capture?.id ?? key;
}

/** Reads the request, and again while it runs. Returns what stops it. */
function readEntry(entry: InspectedEntry, { ticket }: InspectorContext, pane: Pane): () => void {
  const { key, capture, isCaptured } = entry;
  if (capture) pane.show(capture);
  else if (!isCaptured) pane.tell({ problem: "missing", reason: "" });
  else {
    return watchCapture(key, ticket, (outcome) => {
      if (outcome.problem === undefined) return pane.show(outcome.capture);
      const pinned = outcome.problem === "missing" ? readPinned(key) : undefined;
      if (pinned) pane.show(pinned);
      else pane.tell(outcome);
    });
  }
  return () => {};
}

/** How often a running request is read, in milliseconds. */
const POLL_MS = 700;
/** How often in a row the proxy may not answer. */
const MAX_FAILURES = 5;

type Outcome = { capture: Capture; problem?: undefined } | Missing;

/** Reads a request once. The proxy decodes bodies that the browser can't. */
async function readCapture(key: string, ticket: string | null, signal: AbortSignal): Promise<Outcome> {
  const query = new URLSearchParams({ id: key, decode: listUnknown().join() });
  const answer = await askProxy<Capture>(`capture?${query}`, captureFields(ticket), { signal });
  if (answer.problem === undefined) return { capture: answer.told };
  const { problem: reason, status } = answer;
  return { problem: status === 0 ? "unreachable" : status === 404 ? "missing" : "refused", reason };
}

/**
 * Reads a request, and again while it runs. While the page is hidden it waits.
 *
 * @param onOutcome runs after each answer
 * @returns stops it
 */
function watchCapture(
  key: string,
  ticket: string | null,
  onOutcome: (outcome: Outcome) => void,
): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const run = async () => {
    for (let failures = 0; failures < MAX_FAILURES && !signal.aborted;) {
      const outcome = await readCapture(key, ticket, signal);
      failures = outcome.problem === "unreachable" ? failures + 1 : 0;
      onOutcome(outcome);
      const isOver = outcome.problem ? outcome.problem !== "unreachable" : !outcome.capture.isRunning;
      if (isOver) return;
      await rest();
    }
  };
  run().catch(() => {});
  return () => controller.abort();
}

async function rest(): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, POLL_MS)); while (document.hidden);
}
