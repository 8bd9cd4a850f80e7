/**
 * Requests that are pinned: they stay in the list, with a note, and can be shown when the proxy keeps them no longer. All of it
 * is in the memory of this page: the browser's storage can be read by a target's page, and a note may hold anything.
 * @module
 */

import type { Capture } from "../../parts/capture/capture.ts";
import { button, element, say } from "../page/dom.ts";
import { isKey, KEYS } from "../page/page-keys.ts";
import { pinRow } from "../traffic/traffic-view.ts";

interface Pin {
  note: string;
  capture: Capture | undefined;
}

const MAX_NOTE = 200;

const pins = new Map<string, Pin>();

/** Keeps what was captured of a request, if it is pinned. */
export function keepPinned(key: string, capture: Capture): void {
  const pin = pins.get(key);
  if (pin) pin.capture = capture;
}

/** What was captured of a pinned request when it was last read; nothing of it runs any more. */
export function readPinned(key: string): Capture | undefined {
  const capture = pins.get(key)?.capture;
  return capture && { ...capture, isRunning: false };
}

/** Draws a button that pins a request, and the field for its note, which the list shows. */
export function drawPin(key: string, capture: () => Capture | undefined): HTMLElement {
  const note = element("input", {
    "aria-label": "Note on the request",
    placeholder: "Note",
    maxlength: MAX_NOTE,
    autocomplete: "off",
  });
  const show = () => {
    const pin = pins.get(key);
    note.hidden = !pin;
    note.value = pin?.note ?? "";
    pinning.setAttribute("aria-pressed", String(pin !== undefined));
  };
  const pinning = button("Pin", () => {
    if (!pins.delete(key)) pins.set(key, { note: "", capture: capture() });
    const pin = pins.get(key);
    show();
    pinRow(key, pin?.note);
    say(pin ? "Pinned: it stays in the list" : "No longer pinned");
    if (pin) note.focus();
  });
  note.addEventListener("input", () => {
    pins.set(key, { capture: capture(), note: note.value });
    pinRow(key, note.value);
  });
  note.addEventListener("keydown", (event) => {
    if (event.key !== KEYS.pick.key && !isKey(event, "leave")) return;
    // Otherwise Enter would press the button, and Escape close the pane.
    event.preventDefault();
    pinning.focus();
  });
  show();
  return element("div", { class: "row pin" }, pinning, note);
}
