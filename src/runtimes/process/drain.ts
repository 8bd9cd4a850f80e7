/**
 * Shuts the process down.
 * @module
 */

import { setTimeout as sleep } from "node:timers/promises";
import { count } from "./count.ts";
import type { Listener } from "./listener.ts";
import { stderr, stdout } from "./output.ts";

/** Requests in flight may take this many milliseconds to finish. */
export const DRAIN_MS = 10_000;

/** What a process finishes before it ends. */
export type Drained = Pick<Listener, "drain" | "cut" | "graceMs">;

/**
 * Ends the process when it has drained, or after the time limit. Lines on stderr count the requests that it waits for, and
 * those that were cut.
 */
async function stopWhenDrained(
  listening: Promise<Drained & Pick<Listener, "countOpen">>,
): Promise<void> {
  void listening.then(tellOpen).catch(() => {});
  await tellCut(await drainWithin(DRAIN_MS, listening));
  process.exit(0);
}

/**
 * Stops the process at SIGTERM and SIGINT. The proxy may already serve callers while it starts, so a signal drains it
 * then too.
 *
 * @returns the function that a signal calls; later calls do nothing
 */
export function stopAtSignals(listening: Promise<Drained & Pick<Listener, "countOpen">>): () => void {
  let stopped: Promise<void> | undefined;
  const fail = (error: Error) =>
    // A start that fails has its own message.
    listening.then(() => Promise.reject(error), () => {});
  const stop = () => void (stopped ??= stopWhenDrained(listening).catch(fail));
  // A terminal and a service manager signal the whole group, and npm forwards its own signal, so repeated signals are
  // ignored.
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);
  return stop;
}

/**
 * Drains a listener, and cuts what is in flight after the time limit.
 *
 * @param limitMs the time limit in milliseconds, including the time that the listener still needs to start
 * @returns the number of requests that were cut
 */
export async function drainWithin(limitMs: number, listening: Promise<Drained>): Promise<number> {
  let listener: Drained | undefined;
  const drained = listening.then((started) => (listener = started).drain());
  const limit = sleep(limitMs).then(() => sleep(listener?.graceMs, "late" as const));
  const outcome = await Promise.race([drained, limit]);
  return outcome === "late" ? listener?.cut() ?? 0 : outcome ?? 0;
}

/** Says what the process waits for, if anything. */
export async function tellOpen({ countOpen }: Pick<Listener, "countOpen">): Promise<void> {
  const open = await countOpen();
  if (open > 0) {
    stderr.push(`fetchvia: stopping, ${open} in flight, ${DRAIN_MS / 1_000} s at most`);
  }
}

async function tellCut(cut: number): Promise<void> {
  if (cut > 0) {
    stderr.push(`fetchvia: cut ${count(cut, "request")} that had not finished after ${DRAIN_MS / 1_000} s`);
  }
  await finishOutput();
}

/** Settles when all lines are written, or after a time limit. */
export async function finishOutput(): Promise<void> {
  await Promise.all([stdout.finish(), stderr.finish()]);
}

/** Ends the process with a message. */
export async function endWith(line: string, exitCode = 1): Promise<never> {
  stderr.push(line);
  await stderr.finish();
  process.exit(exitCode);
}
