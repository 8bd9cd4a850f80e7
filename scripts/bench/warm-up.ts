/**
 * The warm-up of a process before it is measured. Engines compile code that runs often, some parts only after seconds of
 * work, on the core of the process: a figure taken earlier would measure the compiler.
 * @module
 */
import type { Setting } from "./cases.ts";
import { readUsage } from "./measure.ts";

/** A candidate that does not use its whole core counts as warm after this many times the seconds. */
const PATIENCE = 2;

/** Lets the process work until it is warm, by CPU time rather than by the clock, because the machine may be busy. */
export async function warmUp(
  pid: number,
  { warmSeconds }: Setting,
  runOneSecond: () => Promise<unknown>,
): Promise<void> {
  const enough = readUsage(pid).cpuMicros + warmSeconds * 1e6;
  for (let runs = 0; runs < warmSeconds * PATIENCE && readUsage(pid).cpuMicros < enough; runs += 1) {
    await runOneSecond();
  }
}
