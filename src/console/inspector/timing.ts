/**
 * Whether the target or the proxy took the time.
 * @module
 */

import type { Capture, CapturedHop } from "../../parts/capture/capture.ts";
import { formatSpan } from "../page/format.ts";
import { type Phase, readPhases } from "../../parts/console/hop-phases.ts";

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
  if (step === "send") {
    return `Sending the request ${capture.isRunning ? "has taken" : "took"} most of the time`;
  }
  const verb = capture.isRunning ? "has taken" : "took";
  return `The target ${verb} ${share} % of the time${
    step === undefined ? "" : `, most of it: ${PHASE_NAMES[step].toLowerCase()}`
  }`;
}

/** The longest step of all hops, if it took at least half of all. */
function findSlowest({ hops, isRunning }: Capture, nowMs: number): Phase | undefined {
  const spans = hops.flatMap(({ times }) => readPhases(times, isRunning ? nowMs : undefined));
  const slowest = spans.reduce((most, span) => (span.ms > (most?.ms ?? 0) ? span : most), spans[0]);
  if (!slowest || slowest.ms * 2 < nowMs) return undefined;
  return slowest.phase;
}
