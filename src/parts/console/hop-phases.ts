/**
 * How the duration of one hop is divided: the times of its steps as spans, and as HAR has them.
 * @module
 */

import type { CapturedTimes } from "../capture/capture.ts";

/** The steps of a hop, in their order. */
const PHASES = ["lookUp", "connect", "tls", "send", "wait", "transfer"] as const;

/** One step of a hop. */
export type Phase = (typeof PHASES)[number];

/** When a step began, in milliseconds since the request arrived, and its duration in milliseconds. */
export interface Span {
  phase: Phase;
  startMs: number;
  ms: number;
}

/**
 * The steps that have ended, in their order. Leaves out steps that did not happen, such as `connect` on a reused
 * connection. A step that ended before the previous one did has no duration.
 *
 * @param nowMs the end of a step that is still running; absent if only ended steps count
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

/** The step that is running now. */
function nextPhase({ connectedMs, sentMs, firstByteMs, isReused }: CapturedTimes): Phase {
  if (firstByteMs !== undefined) return "transfer";
  if (sentMs !== undefined) return "wait";
  return connectedMs !== undefined || isReused ? "send" : "connect";
}

/** Writes the times of a hop: milliseconds of each step, -1 for none. `connect` includes `ssl`. */
export function writeTimings(times: CapturedTimes) {
  const spans = readPhases(times);
  const read = (phase: Phase) => spans.find((span) => span.phase === phase)?.ms;
  const [connect, tls] = [read("connect"), read("tls")];
  return {
    blocked: -1,
    dns: round(read("lookUp") ?? -1),
    connect: connect === undefined ? -1 : round(connect + (tls ?? 0)),
    ssl: round(tls ?? -1),
    // These three must not be negative.
    send: round(read("send") ?? 0),
    wait: round(read("wait") ?? 0),
    receive: round(read("transfer") ?? 0),
  };
}

/** The total time. `ssl` is not added, because it is a part of `connect`. */
export function sumTimings({ dns, connect, send, wait, receive }: ReturnType<typeof writeTimings>): number {
  return round(Math.max(0, dns) + Math.max(0, connect) + send + wait + receive);
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000;
}
