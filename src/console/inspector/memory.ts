/**
 * Remembers how the pane was left: its tab and its width.
 * @module
 */

const KEY = "fetchvia-inspector";

/** How the pane looks. */
export interface PaneState {
  tab?: string;
  /** Pixels. */
  width?: number;
}

/** Reads it; empty where the browser keeps nothing. */
export function readPane(): PaneState {
  try {
    const { tab, width }: Record<string, unknown> = JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
    return {
      ...(typeof tab === "string" && { tab }),
      ...(typeof width === "number" && { width }),
    };
  } catch {
    return {};
  }
}

/** Changes a part of it. */
export function keepPane(state: PaneState): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...readPane(), ...state }));
  } catch {
    // The browser keeps nothing: the pane opens as it does at first.
  }
}
