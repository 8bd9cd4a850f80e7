/**
 * The warm-up of a process before it is measured. Engines compile code that runs often, some parts only after seconds of
 * work, on the core of the process: a figure taken earlier would measure the compiler.
 * @module
 */
import type { Setting } from "./cases.ts";
import { readUsage } from "./measure.ts";

/** A candidate that does not use its whole core counts as warm after this many times the seconds. */
const PATIENCE = 2;

/** What a kept process works on a new case, in seconds. */
const AGAIN_SECONDS = 2;

/** Lets the process work until it is warm, by CPU time rather than by the clock, because the machine may be busy. */
export async function warmUp(
  pid: number,
  { warmSeconds: whole, kept }: Setting,
  runOneSecond: () => Promise<unknown>,
): Promise<void> {
  const isWarm = kept && readUsage(pid).cpuMicros > whole * 1e6;
  const warmSeconds = isWarm ? Math.min(whole, AGAIN_SECONDS) : whole;
  const enough = readUsage(pid).cpuMicros + warmSeconds * 1e6;
  for (let runs = 0; runs < warmSeconds * PATIENCE && readUsage(pid).cpuMicros < enough; runs += 1) {
    await runOneSecond();
  }
}
