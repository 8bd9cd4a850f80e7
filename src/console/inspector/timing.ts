/**
 * Where the time went: whether the target or the proxy took it, and a waterfall for each hop.
 * @module
 */

import type { Capture, CapturedHop } from "../../parts/capture/capture.ts";
import { formatSpan } from "../page/format.ts";
import { drawTable } from "./head-view.ts";
import { type Phase, readPhases, type Span } from "../../parts/console/hop-phases.ts";
import { element, hint } from "../page/dom.ts";

/** Below this no blame is laid, in milliseconds. */
const SHORT_MS = 10;

/** What a step is called. */
export const PHASE_NAMES: Readonly<Record<Phase, string>> = {
  lookUp: "Look-up",
  connect: "Connect",
  tls: "TLS",
  send: "Send",
  wait: "Wait",
  transfer: "Transfer",
};

/** Whether the connection was open already, and its number; as much as is known. */
export function judgeConnection({ times, connection }: CapturedHop): string | undefined {
  const isNew = times.isReused === false || times.connectedMs !== undefined;
  const kind = times.isReused ? "kept connection" : isNew ? "new connection" : connection && "connection";
  return connection ? `${kind} ${connection}` : kind;
}

/** Milliseconds in which the proxy waited for targets: each hop from its first step to its last. */
function countTargets({ hops }: Capture, nowMs: number): number {
  return hops.reduce((sum, { times, error }) => {
    const end = times.endMs ?? (error === undefined ? nowMs : times.firstByteMs ?? times.sentMs ?? nowMs);
    return sum + Math.max(0, end - times.startMs);
  }, 0);
}

/**
 * One sentence on where the time went.
 *
 * @param nowMs milliseconds since the request arrived, for one that runs
 */
export function judgeTime(capture: Capture, nowMs: number = capture.totalMs): string {
  if (capture.hops.length === 0) return "The proxy answered by itself";
  // Of less, rounding and the clock are as large as what they measure.
  if (nowMs < SHORT_MS && !capture.isRunning) return `${formatSpan(nowMs)} in all`;
  const total = Math.max(nowMs, 0.1);
  const share = Math.min(100, Math.round(countTargets(capture, nowMs) / total * 100));
  const step = findSlowest(capture, nowMs);
  const verb = capture.isRunning ? "has taken" : "took";
  if (step === "send") return `Sending the request ${verb} most of the time`;
  return `The target ${verb} ${share} % of the time${
    step === undefined ? "" : `, most of it: ${PHASE_NAMES[step].toLowerCase()}`
  }`;
}

/** The longest step of all hops, if it took at least half of all. */
function findSlowest({ hops, isRunning }: Capture, nowMs: number): Phase | undefined {
  const spans = hops.flatMap(({ times }) => readPhases(times, isRunning ? nowMs : undefined));
  const slowest = spans.reduce((most, span) => (span.ms > (most?.ms ?? 0) ? span : most), spans[0]);
  return slowest && slowest.ms * 2 >= nowMs ? slowest.phase : undefined;
}

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
  const title = `${index + 1}. ${hop.request.method} ${hop.request.url}`;
  const rows = spans.map((span) => drawSpan(span, total));
  return drawTable("waterfall", [title, about && ` – ${about}`], [], rows);
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
