/**
 * What can be done with the request that is picked: one line of buttons, not one for each row.
 * @module
 */

import type { TrafficEntry } from "../../traffic-message.ts";
import { copyButton, element, find } from "../page/dom.ts";

/** The actions for a request. */
export interface PickedActions {
  /** Puts it into the builder. */
  open(entry: TrafficEntry): void;
  /** Sends it again. */
  replay(entry: TrafficEntry): void;
  /** True if the request can be repeated exactly. */
  canReplay(entry: TrafficEntry): boolean;
}

/** Shows the actions, or none. */
export function showPicked(entry: TrafficEntry | undefined, actions: PickedActions): void {
  const place = find("traffic-picked");
  place.hidden = entry === undefined;
  find("traffic-list").classList.toggle("picked", entry !== undefined);
  if (!entry) return place.replaceChildren();
  const what = `${entry.method} ${entry.address ?? entry.target ?? "request"}`;
  const button = (name: string, text: string, click: () => void) =>
    element("button", { type: "button", class: "small", "aria-label": `${name} ${what}`, click }, text);
  const { setting } = entry;
  place.replaceChildren(
    element("code", { title: what }, what),
    ...(entry.address === undefined
      ? []
      : [button("Open in builder:", "Open in builder", () => actions.open(entry))]),
    ...(actions.canReplay(entry) ? [button("Replay", "Replay", () => actions.replay(entry))] : []),
    ...(setting === undefined ? [] : [settingButton(setting)]),
  );
}

/** Copies the setting that would have allowed the request. */
function settingButton(setting: string): HTMLElement {
  const button = copyButton(`the setting ${setting}`, () => setting);
  button.title = setting;
  return button;
}
