/**
 * Where the time of one hop went: the times of its steps as spans.
 * @module
 */

import type { CapturedTimes } from "../capture/capture.ts";

/** The steps of a hop, in their order. */
export const PHASES = ["lookUp", "connect", "tls", "send", "wait", "transfer"] as const;

/** One step of a hop. */
export type Phase = (typeof PHASES)[number];

/** When a step began, and how long it took, in milliseconds since the request arrived. */
export interface Span {
  phase: Phase;
  startMs: number;
  ms: number;
}

/**
 * The steps that are over, in their order. A step that did not happen is left out, as `connect` on a connection that was
 * open already. One that overlaps the step before, as a body that is still sent while the answer arrives, takes no time.
 *
 * @param nowMs the end of a step that still runs; absent if only what is over counts
 */
export function readPhases(times: CapturedTimes, nowMs?: number): Span[] {
  const { startMs, lookedUpMs, connectedMs, securedMs, sentMs, firstByteMs, endMs } = times;
  const ends: Record<Phase, number | undefined> = {
    lookUp: lookedUpMs,
    connect: connectedMs,
    tls: securedMs,
    send: sentMs,
    wait: firstByteMs,
    transfer: endMs,
  };
  const spans: Span[] = [];
  let at = startMs;
  for (const phase of PHASES) {
    const end = ends[phase];
    if (end === undefined) continue;
    spans.push({ phase, startMs: at, ms: Math.max(0, end - at) });
    at = Math.max(at, end);
  }
  if (nowMs === undefined || endMs !== undefined || nowMs <= at) return spans;
  return [...spans, { phase: nextPhase(times), startMs: at, ms: nowMs - at }];
}

/** The step that runs now. */
function nextPhase({ connectedMs, sentMs, firstByteMs, isReused }: CapturedTimes): Phase {
  if (firstByteMs !== undefined) return "transfer";
  if (sentMs !== undefined) return "wait";
  return connectedMs !== undefined || isReused ? "send" : "connect";
}
