/**
 * Where the time went: a waterfall for each hop.
 * @module
 */

import type { Capture, CapturedHop } from "../../parts/capture/capture.ts";
import { element, hint } from "../page/dom.ts";
import { formatSpan } from "../page/format.ts";
import { readPhases, type Span } from "../../parts/console/hop-phases.ts";
import { judgeConnection, judgeTime, PHASE_NAMES } from "./timing.ts";

/**
 * Draws the waterfalls.
 *
 * @param nowMs milliseconds since the request arrived
 */
export function drawTiming(capture: Capture, nowMs: number): Node[] {
  const { hops, isRunning, headMs } = capture;
  const total = Math.max(nowMs, ...hops.map(({ times }) => times.endMs ?? 0), 0.1);
  return [
    element("p", { class: "verdict" }, `${judgeTime(capture, nowMs)}.`),
    ...hops.map((hop, index) => drawHop(hop, index, { total, nowMs: isRunning ? nowMs : undefined })),
    hint(
      `Response headers after ${headMs > 0 ? formatSpan(headMs) : "…"}, ${
        isRunning ? "so far" : "all of it after"
      } ${formatSpan(nowMs)}.`,
    ),
  ];
}

function drawHop(
  hop: CapturedHop,
  index: number,
  { total, nowMs }: { total: number; nowMs: number | undefined },
): HTMLElement {
  const spans = readPhases(hop.times, nowMs);
  const about = [judgeConnection(hop), hop.error?.replaceAll("_", " ")].filter(Boolean).join(", ");
  return element(
    "table",
    { class: "waterfall" },
    element(
      "caption",
      {},
      `${index + 1}. ${hop.request.method} ${hop.request.url}`,
      element("small", {}, about && ` – ${about}`),
    ),
    element("tbody", {}, ...spans.map((span) => drawSpan(span, total))),
  );
}

function drawSpan({ phase, startMs, ms }: Span, total: number): HTMLElement {
  const bar = element("span", { class: `bar-${phase}` });
  bar.style.marginInlineStart = `${(startMs / total) * 100}%`;
  bar.style.width = `${Math.max(0.4, (ms / total) * 100)}%`;
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, PHASE_NAMES[phase]),
    element("td", { class: "track" }, bar),
    element("td", { class: "number" }, formatSpan(ms)),
  );
}
