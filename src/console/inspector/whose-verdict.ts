/**
 * One sentence that says how a request ended, and whose verdict that was: the target's or the proxy's.
 * @module
 */

import { findField } from "../page/find-field.ts";
import { parseJson } from "../page/format.ts";
import type { Capture } from "../../parts/capture/capture.ts";
import { readBytes } from "./captured.ts";
import type { InspectedEntry } from "./context.ts";

/** The sentence: what is said first, and what follows. */
export interface Verdict {
  who: string;
  why: string;
}

/** Members of a JSON body that say why, the clearest first. */
const REASONS = ["detail", "message", "reason", "error_description", "error", "title"];
const MOST_LETTERS = 200;

/** True if the answer is the proxy's own: no target answered, or it is not what the target answered last. */
export function isByProxy(
  { error, target }: Pick<InspectedEntry, "error" | "target">,
  capture?: Capture,
): boolean {
  if (capture) {
    const { response } = capture;
    const last = capture.hops.at(-1)?.response;
    return !last || capture.error !== undefined && response !== undefined && response.status !== last.status;
  }
  return target === undefined || error !== undefined && error !== "caller_gone";
}

/** Says how a request ended; `undefined` while it has no answer. */
export function tellVerdict(entry: InspectedEntry, capture?: Capture): Verdict | undefined {
  const { status, error, isRunning } = entry;
  if (status === 0) return undefined;
  const code = error?.replaceAll("_", " ");
  // A status below 400 with an error: its head came from the target, and then it broke off.
  if (status < 400 || !isByProxy(entry, capture)) {
    const isLeft = error === "caller_gone";
    const ending = isLeft ? "closed by the caller" : code && `then ${code}`;
    const reason = status >= 400 ? readReason(capture) : "";
    return { who: `${status} from the target`, why: ending ?? (isRunning ? "still running" : reason) };
  }
  const who = status === 403 || status === 401 ? "refused by the proxy" : "from the proxy";
  return { who: `${status} ${who}`, why: readReason(capture) || code || "" };
}

/** What a JSON body gives as the reason. */
function readReason(capture: Capture | undefined): string {
  const headers = capture?.response?.headers ?? [];
  if (!capture?.responseBody || !/json/i.test(findField(headers, "content-type") ?? "")) return "";
  // One that is cut, or encoded, has none: the tab of the response shows it.
  const body = parseJson(new TextDecoder().decode(readBytes(capture.responseBody)));
  const members = Object(body) as Record<string, unknown>;
  const found = REASONS.map((name) => members[name]).find((value) => typeof value === "string");
  return typeof found === "string" ? found.slice(0, MOST_LETTERS) : "";
}
