/**
 * Listens to live traffic, and says how the connection is.
 * @module
 */

import type { TrafficMessage } from "../../parts/console/traffic-message.ts";
import { element, find } from "../page/dom.ts";
import { ownAddress } from "../page/page-location.ts";

/** Calls back with each message; `isRing` is true for one that says all that is kept. */
export function listenToTraffic(
  ticket: string,
  onMessage: (message: TrafficMessage, isRing: boolean) => void,
): void {
  const source = new EventSource(ownAddress(`traffic?ticket=${ticket}`));
  source.addEventListener("ring", ({ data }) => {
    showState("live", "Live");
    onMessage(JSON.parse(data), true);
  });
  source.addEventListener("message", ({ data }) => onMessage(JSON.parse(data), false));
  source.addEventListener("error", () => {
    if (source.readyState !== EventSource.CLOSED) return showState("waiting", "Reconnecting…");
    showState("off", "Ended");
    find("traffic-notice").hidden = false;
    find("traffic-notice").replaceChildren(
      "The proxy was started anew or has too many watchers. ",
      element("a", { href: ownAddress("") }, "Load the console again"),
      " to see its traffic.",
    );
  });
}

function showState(name: string, text: string): void {
  const state = find("traffic-state");
  state.className = `live ${name}`;
  state.textContent = text;
}
