/**
 * The edge of the pane: drag it, or use the arrow keys, to make the pane wider. Width and tab are remembered.
 * @module
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/windowsplitter/
 */

import { element } from "../page/dom.ts";
import { openStorage, readStored, type Shelf, writeStored } from "../page/storage.ts";

const LEAST = 360;
const STEP = 24;
/** The share of the window that it has at first. */
const FIRST = .42;

/** Makes the edge, and gives the pane the width that it had. */
export function makeResizer(place: HTMLElement): HTMLElement {
  const edge = makeEdge();
  let width = 0;
  const set = (wanted: number) => {
    const most = Math.max(LEAST, innerWidth - LEAST);
    width = Math.round(Math.min(most, Math.max(LEAST, wanted)));
    document.documentElement.style.setProperty("--inspector-width", `${width}px`);
    edge.setAttribute("aria-valuemax", String(most));
    edge.setAttribute("aria-valuenow", String(width));
  };
  const keep = () => keepPane({ width });
  edge.addEventListener("pointerdown", (event) => {
    edge.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  edge.addEventListener("pointermove", (event) => {
    if (edge.hasPointerCapture(event.pointerId)) set(place.getBoundingClientRect().right - event.clientX);
  });
  edge.addEventListener("pointerup", keep);
  edge.addEventListener("keydown", (event) => {
    const steps: Record<string, number> = {
      ArrowLeft: width + STEP,
      ArrowRight: width - STEP,
      Home: innerWidth,
      End: LEAST,
    };
    const wanted = steps[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    set(wanted);
    keep();
  });
  set(readPane().width ?? innerWidth * FIRST);
  return edge;
}

function makeEdge(): HTMLElement {
  return element("div", {
    class: "resizer",
    role: "separator",
    tabindex: 0,
    "aria-orientation": "vertical",
    "aria-label": "Width of the request",
    "aria-valuemin": LEAST,
  });
}

const KEY = "fetchvia-inspector";

/** How the pane looks. */
export interface PaneState {
  tab?: string;
  /** Pixels. */
  width?: number;
}

/** Reads it; empty where the browser keeps nothing. */
export function readPane(shelf: Shelf | undefined = openStorage()): PaneState {
  const { tab, width } = (readStored(shelf, KEY) ?? {}) as Record<string, unknown>;
  return {
    ...(typeof tab === "string" && { tab }),
    ...(typeof width === "number" && { width }),
  };
}

/** Changes a part of it. */
export function keepPane(state: PaneState): void {
  writeStored(openStorage(), KEY, { ...readPane(), ...state });
}
