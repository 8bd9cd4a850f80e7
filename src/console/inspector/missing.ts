/**
 * Says calmly why a request is not shown whole, and how the next ones will be.
 * @module
 */

import { button, element, hint, say } from "../page/dom.ts";
import type { InspectedEntry, InspectorContext, Missing } from "./context.ts";
import { MINUTES, switchCapture } from "../traffic/capture-switch.ts";

const MODE = "64KiB";

/** Draws the reason, and a button that switches capture on. */
export function drawMissing(
  { problem, reason }: Missing,
  entry: InspectedEntry,
  context: InspectorContext,
): Node[] {
  if (problem !== "missing") return [element("p", { class: "notice" }, reason)];
  const text = entry.isCaptured
    ? "This request was captured, but it is no longer kept: newer ones took its place."
    : "Headers and bodies of this request were not captured, so this is all that is known of it.";
  const said = hint("", { role: "status" });
  const begin = async () => {
    const { problem } = await switchCapture(context.ticket, MODE);
    said.textContent = problem ??
      `Capture is on for ${MINUTES} minutes. Send the request again to see it whole.`;
    say(said.textContent);
  };
  return [
    element("p", {}, text),
    hint(
      `Capture keeps headers and the first ${MODE} of each body in memory, with secrets masked. The setting CAPTURE=${MODE} has it on from the start.`,
    ),
    button(`Capture the next ${MINUTES} minutes`, () => void begin(), { class: undefined }),
    said,
  ];
}
