/**
 * Asks the proxy for a captured request, and again while it runs.
 * @module
 */

import type { Capture } from "../../parts/capture/capture.ts";
import { listUnknown } from "../answer/body/decoding.ts";
import { askProxy, captureFields } from "../page/own-requests.ts";

/** How often a running request is read, in milliseconds. */
const POLL_MS = 700;
/** How often in a row the proxy may not answer. */
const MAX_FAILURES = 5;

/** What the proxy says of a request. */
export type Outcome =
  | { capture: Capture; problem?: undefined }
  /** `missing`: it is not kept. */
  | { problem: "missing" | "refused" | "unreachable"; reason: string };

/** Reads a request once. The proxy decodes bodies that the browser can't. */
async function readCapture(key: string, ticket: string | null, signal: AbortSignal): Promise<Outcome> {
  const query = new URLSearchParams({ id: key, decode: listUnknown().join() });
  const answer = await askProxy<Capture>(`capture?${query}`, captureFields(ticket), { signal });
  if (answer.problem === undefined) return { capture: answer.told };
  const { problem: reason, status } = answer;
  return { problem: status === 0 ? "unreachable" : status === 404 ? "missing" : "refused", reason };
}

/**
 * Reads a request, and again while it runs. While the page is hidden it waits.
 *
 * @param onOutcome runs after each answer
 * @returns stops it
 */
export function watchCapture(
  key: string,
  ticket: string | null,
  onOutcome: (outcome: Outcome) => void,
): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const run = async () => {
    for (let failures = 0; failures < MAX_FAILURES && !signal.aborted;) {
      const outcome = await readCapture(key, ticket, signal);
      failures = outcome.problem === "unreachable" ? failures + 1 : 0;
      onOutcome(outcome);
      const isOver = outcome.problem ? outcome.problem !== "unreachable" : !outcome.capture.isRunning;
      if (isOver) return;
      await rest();
    }
  };
  run().catch(() => {});
  return () => controller.abort();
}

async function rest(): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, POLL_MS)); while (document.hidden);
}
