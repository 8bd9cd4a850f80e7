/**
 * What a process does before it is measured. Engines compile what runs often, some parts only after seconds of work, on
 * the core of the process: a figure from before that tells of the compiler.
 * @module
 */
import type { Setting } from "./cases.ts";
import { readUsage } from "./measure.ts";

/** A candidate that uses less than its core is warm after that many times as many seconds. */
const PATIENCE = 2;

/** Lets the process work until it is warm. By CPU time rather than by the clock: the machine may be busy. */
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
