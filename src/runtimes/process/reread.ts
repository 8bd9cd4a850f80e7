/**
 * What is read again at SIGHUP, while the proxy runs.
 * @module
 */

import { closeSync, openSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isatty } from "node:tty";
import { ConfigError } from "../../core/settings/config.ts";
import type { Listener } from "./listener.ts";
import { writeError } from "./write-log.ts";

/**
 * Reads one thing again and puts it in force. Connections and requests that are on their way keep the old.
 *
 * @returns what is new, for a line on stderr; `undefined` if nothing has changed
 * @throws {ConfigError} (as a rejection) if it can't be used: then the old stays in force
 */
export type Reread = () => Promise<string | undefined>;

/** Reads everything again. A bad thing keeps no other from being read. Returns lines for stderr, at least one. */
export async function rereadAll(rereads: readonly Reread[]): Promise<string[]> {
  if (rereads.length === 0) {
    return [
      "nothing is read again at SIGHUP: neither TLS_CERT nor TARGETS nor a file in REVOKED_TOKENS is set",
    ];
  }
  const lines: string[] = [];
  for (const reread of rereads) {
    try {
      const news = await reread();
      if (news !== undefined) lines.push(`read again: ${news}`);
    } catch (error) {
      const reason = error instanceof ConfigError ? error.message : "an internal error";
      lines.push(`cannot read again: ${reason}. The old stays in force`);
    }
  }
  return lines.length ? lines : ["nothing is new since it was read"];
}

/**
 * How long a signal waits for others, in milliseconds: one that is sent to a group of processes and handed on by one of
 * them arrives twice.
 */
const SETTLE_MS = 50;

/**
 * Reads again at SIGHUP, one time after the other; or calls `stop` if the signal says that the terminal is gone. What
 * arrives before the reading begins is the same signal.
 */
export function watchHangup(listening: Promise<Pick<Listener, "reread">>, stop: () => void): void {
  const hadTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  let last: Promise<void> = Promise.resolve();
  let isWaiting = false;
  const rereadSoon = async () => {
    await sleep(SETTLE_MS);
    isWaiting = false;
    const lines = await (await listening).reread();
    for (const line of lines) writeError(`fetchvia: ${line}`);
  };
  process.on("SIGHUP", () => {
    if (hadTerminal && isTerminalGone()) return stop();
    if (isWaiting) return;
    isWaiting = true;
    // A failed start has its own message.
    last = last.then(rereadSoon).catch(() => {});
  });
}

/** A process whose terminal was closed must not stay behind, with a port that nobody sees. */
function isTerminalGone(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return false;
  } catch {
    return true;
  }
}
