/**
 * Switches capture, says what is kept, and saves it as HAR.
 * @module
 */

import type { CaptureState } from "../../parts/capture/capture.ts";
import { saveHar } from "../inspector/har-files.ts";
import { find, say } from "../page/dom.ts";
import { formatClock, formatMemory } from "../page/format.ts";
import { MAX_IDS } from "../../parts/console/page-facts.ts";
import { askProxy, captureFields, type Told } from "../page/own-requests.ts";

/** How long capture stays on, in minutes. */
export const MINUTES = 10;
/** How often the page asks what is kept, in milliseconds: others switch capture, too. */
const ASK_MS = 3_000;

/**
 * Makes the switch work.
 *
 * @param readKeys the requests to be saved as HAR, the newest first; `undefined` for all that are kept
 * @returns shows the switch as it is now, if the proxy can capture
 */
export function openCaptureSwitch(
  ticket: string,
  readKeys: () => string[] | undefined,
): () => Promise<void> {
  const chosen = find<HTMLSelectElement>("capture-mode");
  const show = async () => {
    const state = await askCapture(ticket);
    if (!state) return;
    find("capture").hidden = false;
    showCapture(state);
  };
  chosen.addEventListener("change", async () => {
    const { told: now } = await switchCapture(ticket, chosen.value);
    if (now) showCapture(now);
    else find("capture-line").textContent = "The proxy does not let this page switch capture.";
    say(find("capture-line").textContent ?? "");
  });
  find("capture-har").addEventListener("click", () => void saveShown(ticket, readKeys()));
  setInterval(async () => {
    if (document.hidden) return;
    const now = await askCapture(ticket);
    if (now && document.activeElement !== chosen) showCapture(now);
  }, ASK_MS);
  return show;
}

/** What capture keeps, in a sentence. */
export function tellCapture(state: CaptureState): string {
  const { bodyBytes, until, whileOpen, requests, bytes, maxBytes } = state;
  const kept = `${requests.toLocaleString("en")} requests, ${formatMemory(bytes)} of ${
    formatMemory(maxBytes)
  }`;
  if (bodyBytes === null && requests === 0) {
    return "Capture is off: headers and bodies are not kept.";
  }
  if (bodyBytes === null) return `Capture is off. Still kept, in memory only: ${kept}.`;
  const what = bodyBytes === 0 ? "Headers" : `Headers and ${formatMemory(bodyBytes)} of each body`;
  const end = until === undefined ? "" : ` It ends at ${formatClock(until)}.`;
  const whose = whileOpen ? " from callers on this machine" : "";
  return `${what}${whose} are kept in memory only, secrets of headers masked: ${kept}.${end}`;
}

function showCapture(state: CaptureState): void {
  const { bodyBytes, until, whileOpen, requests } = state;
  const chosen = find<HTMLSelectElement>("capture-mode");
  const mode = bodyBytes === null ? "off" : whileOpen ? "console" : bodyBytes === 0 ? "heads" : "64KiB";
  const line = tellCapture(state);
  if (chosen.value !== mode) chosen.value = mode;
  chosen.labels[0]!.textContent = bodyBytes === null ? "Capture" : "Capturing";
  if (bodyBytes !== null && !whileOpen) {
    const what = bodyBytes === 0 ? "headers" : `${formatMemory(bodyBytes)} of each body`;
    // What the setting has switched on has no end.
    const text = until === undefined ? what : `${what}, for ${MINUTES} min`;
    const [option] = chosen.selectedOptions;
    if (option && option.textContent !== text) option.textContent = text;
  }
  if (find("capture-line").textContent !== line) find("capture-line").textContent = line;
  find<HTMLButtonElement>("capture-har").disabled = requests === 0;
}

async function askCapture(ticket: string): Promise<CaptureState | undefined> {
  return (await askProxy<CaptureState>("capture", captureFields(ticket))).told;
}

/** Switches capture for `MINUTES`. */
export function switchCapture(ticket: string | null, mode: string): Promise<Told<CaptureState>> {
  return askProxy("capture", captureFields(ticket), { body: { mode, minutes: MINUTES } });
}

/** Saves all that is kept, or with a filter what it lets through. */
async function saveShown(ticket: string, keys: string[] | undefined): Promise<void> {
  if (keys?.length === 0) return say("No request that matches the filter is captured");
  const problem = await saveHar(ticket, keys?.slice(0, MAX_IDS));
  if (keys && !problem) say(`${Math.min(keys.length, MAX_IDS)} requests of the filter saved`);
}
