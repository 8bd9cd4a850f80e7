/**
 * The times of a hop in HAR.
 * @module
 */

import type { CapturedTimes } from "../capture/capture.ts";
import { type Phase, readPhases } from "./hop-phases.ts";

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
