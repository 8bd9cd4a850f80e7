/**
 * Shuts the process down.
 * @module
 */

import process from "node:process";
import { stderr, stdout } from "./output.ts";

/** Requests in flight may take this many milliseconds to finish. */
const DRAIN_MS = 10_000;
/** One of several processes has less: past its limit the first one kills what is left. */
export const SECONDARY_DRAIN_MS = 9_500;

/** Ends the process when it has drained, or has taken too long. */
export async function stopWhenDrained(drained: Promise<void> | undefined, limitMs = DRAIN_MS): Promise<void> {
  const limit = new Promise((resolve) => setTimeout(resolve, limitMs));
  await Promise.race([writeLast(drained), limit]);
  process.exit(0);
}

/** Ends the process, and says why. */
export async function endWith(line: string): Promise<never> {
  stderr.push(line);
  await stderr.finish();
  process.exit(1);
}

async function writeLast(drained: Promise<void> | undefined): Promise<void> {
  await drained;
  await Promise.all([stdout.finish(), stderr.finish()]);
}
