/**
 * Says calmly why a request is not shown whole, and how the next ones will be.
 * @module
 */

import { element, say } from "../page/dom.ts";
import { ownAddress } from "../page/page-location.ts";
import { captureFields } from "../page/proof.ts";
import type { InspectedEntry, InspectorContext } from "./context.ts";

const MINUTES = 10;
const MODE = "64KiB";

/** Why there is no more than the row. */
export interface Missing {
  problem: "missing" | "refused" | "unreachable";
  reason: string;
}

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
  const said = element("p", { class: "hint", role: "status" });
  const button = element("button", { type: "button" }, `Capture the next ${MINUTES} minutes`);
  button.addEventListener("click", async () => {
    said.textContent = await switchOn(context.ticket);
    say(said.textContent);
  });
  return [
    element("p", {}, text),
    element(
      "p",
      { class: "hint" },
      `Capture keeps headers and the first ${MODE} of each body in memory, with secrets masked. The setting CAPTURE=${MODE} has it on from the start.`,
    ),
    button,
    said,
  ];
}

async function switchOn(ticket: string | null): Promise<string> {
  try {
    const answer = await fetch(ownAddress("capture"), {
      method: "POST",
      headers: { "content-type": "application/json", ...captureFields(ticket) },
      body: JSON.stringify({ mode: MODE, minutes: MINUTES }),
    });
    if (answer.ok) return `Capture is on for ${MINUTES} minutes. Send the request again to see it whole.`;
    const { message = `the proxy answered ${answer.status}` } = await answer.json() as { message?: string };
    return message;
  } catch {
    return "The proxy does not answer; is it still running?";
  }
}
