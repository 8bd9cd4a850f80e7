/**
 * Shuts the process down.
 * @module
 */

import process from "node:process";
import { stderr, stdout } from "./output.ts";

/** Requests in flight may take this many milliseconds to finish. */
const DRAIN_MS = 10_000;
/** The time limit for one of several processes. It is shorter, because the primary then kills the remaining ones. */
export const SECONDARY_DRAIN_MS = 9_500;

/** Ends the process when it has drained, or after the time limit. */
export async function stopWhenDrained(drained: Promise<void> | undefined, limitMs = DRAIN_MS): Promise<void> {
  const limit = new Promise((resolve) => setTimeout(resolve, limitMs));
  await Promise.race([writeLast(drained), limit]);
  process.exit(0);
}

/** Ends the process with a message. */
export async function endWith(line: string): Promise<never> {
  stderr.push(line);
  await stderr.finish();
  process.exit(1);
}

async function writeLast(drained: Promise<void> | undefined): Promise<void> {
  await drained;
  await Promise.all([stdout.finish(), stderr.finish()]);
}
