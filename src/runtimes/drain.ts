/**
 * The end of a process that serves.
 * @module
 */

import process from "node:process";

/** What is in flight may take this many milliseconds to finish. */
const DRAIN_MS = 10_000;

/** Ends the process when it has drained, or has taken too long. */
export async function stopWhenDrained(drained: Promise<void> | undefined): Promise<void> {
  const limit = new Promise((resolve) => setTimeout(resolve, DRAIN_MS));
  await Promise.race([drained, limit]);
  process.exit(0);
}
