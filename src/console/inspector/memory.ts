/**
 * Remembers how the pane was left: its tab and its width.
 * @module
 */

import { openStorage, readStored, type Shelf, writeStored } from "../page/storage.ts";

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
