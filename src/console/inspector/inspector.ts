/**
 * The inspector: a pane for one request, and the view of a WebSocket, which shows its messages by the same means.
 * @module
 */

import { watchCapture } from "./capture-source.ts";
import type { InspectedEntry, InspectorContext } from "./context.ts";
import { Pane } from "./pane.ts";
import { readPinned } from "./pins.ts";
import { loadStyle } from "./style-sheet.ts";

export { openHar } from "./har-files.ts";
export { closeSocket, openSocket } from "../builder/socket-view.ts";

interface Shown {
  pane: Pane;
  key: string | undefined;
  stop(): void;
}

const shown = new WeakMap<HTMLElement, Shown>();

/**
 * Shows a request in `place`, and replaces what stands there. Called again with the same request, it updates its row's
 * facts and keeps tab, scroll position and selection.
 */
export async function showEntry(
  place: HTMLElement,
  entry: InspectedEntry,
  context: InspectorContext,
): Promise<void> {
  await loadStyle();
  const before = shown.get(place);
  if (before && before.key === keyOf(entry)) return before.pane.update(entry);
  before?.stop();
  const pane = before?.pane ?? new Pane(place, context, () => hideEntry(place));
  const now: Shown = { pane, key: keyOf(entry), stop: () => {} };
  shown.set(place, now);
  pane.open(entry);
  now.stop = readEntry(entry, context, pane);
}

/** Closes the pane. */
export function hideEntry(place: HTMLElement): void {
  const { pane, stop } = shown.get(place) ?? {};
  stop?.();
  shown.delete(place);
  pane?.close();
}

function keyOf({ key, capture }: InspectedEntry): string | undefined {
  return capture?.id ?? key;
}

/** Reads the request, and again while it runs. Returns what stops it. */
function readEntry(entry: InspectedEntry, { ticket }: InspectorContext, pane: Pane): () => void {
  const { key, capture, isCaptured } = entry;
  if (capture) pane.show(capture);
  else if (!isCaptured) pane.tell("missing", "");
  else {
    return watchCapture(key, ticket, (outcome) => {
      if (outcome.problem === undefined) return pane.show(outcome.capture);
      const pinned = outcome.problem === "missing" ? readPinned(key) : undefined;
      if (pinned) pane.show(pinned);
      else pane.tell(outcome.problem, outcome.reason);
    });
  }
  return () => {};
}
