/**
 * Listens to live traffic, and says how the connection is.
 * @module
 */

import type { TrafficMessage } from "../../parts/console/traffic-message.ts";
import { element, find } from "../page/dom.ts";
import { ownAddress } from "../page/own-requests.ts";

/** What shows that a person is there. */
const NAMES = ["pointerdown", "keydown"];

/**
 * Calls back with each message; `isRing` is true for one that says all that is kept.
 *
 * After a restart the proxy has another ticket, which only a page that is opened gets: the page loads again by itself where
 * nothing is lost. It does so only if it was live, so it never goes round.
 *
 * Capture is on while the stream is open, if this page wants it: once it has had a click or a key where another page led to it.
 *
 * @param isAsked whether the user opened this page
 * @param mayReload true while the page holds nothing that a reload loses
 */
export function listenToTraffic(
  ticket: string,
  isAsked: boolean,
  onMessage: (message: TrafficMessage, isRing: boolean) => void,
  mayReload: () => boolean,
): void {
  let wasLive = false;
  let last: EventSource | undefined;
  const open = (wantsCapture: boolean) => {
    last?.close();
    let isLive = false;
    const source = last = new EventSource(
      ownAddress(`traffic?ticket=${ticket}${wantsCapture ? "&capture" : ""}`),
    );
    source.addEventListener("ring", ({ data }) => {
      showState("live", "Live");
      wasLive = isLive = true;
      onMessage(JSON.parse(data), true);
    });
    source.addEventListener("message", ({ data }) => onMessage(JSON.parse(data), false));
    source.addEventListener("error", () => {
      if (source.readyState !== EventSource.CLOSED) return showState("waiting", "Reconnecting…");
      // One watcher too many, where the server has not seen yet that the stream before is closed.
      if (wantsCapture && !isAsked && !isLive) return open(false);
      if (wasLive && mayReload()) return location.reload();
      showEnd();
    });
  };
  open(isAsked);
  const want = () => {
    for (const name of NAMES) removeEventListener(name, want);
    if (last?.readyState !== EventSource.CLOSED) open(true);
  };
  if (!isAsked) { for (const name of NAMES) addEventListener(name, want); }
}

function showEnd(): void {
  showState("off", "Ended");
  find("page-notice").hidden = false;
  find("page-notice").replaceChildren(
    "The proxy was restarted, or has too many watchers. ",
    element("a", { href: ownAddress("") }, "Load the console again"),
    " to see its traffic. Secrets not stored are lost.",
  );
}

function showState(name: string, text: string): void {
  const state = find("traffic-state");
  state.className = `live ${name}`;
  state.textContent = text;
}
