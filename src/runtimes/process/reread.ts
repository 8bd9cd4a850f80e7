/**
 * Reads settings files again at SIGHUP, while the proxy runs.
 * @module
 */

import { closeSync, openSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isatty } from "node:tty";
import { ConfigError } from "../../core/settings/config.ts";
import type { Listener } from "./listener.ts";
import { writeError } from "./write-log.ts";

/**
 * Reads one setting again and puts it in force. Existing connections and requests keep the old value.
 *
 * @returns what is new, for a line on stderr; `undefined` if nothing has changed
 * @throws {ConfigError} (as a rejection) if the new value can't be used: then the old one stays in force
 */
export type Reread = () => Promise<string | undefined>;

/** A setting that can't be used, and of which the old value can't be kept either. */
export class RereadError extends ConfigError {
  /** What is so until it can be used: a sentence without its full stop. */
  readonly outcome: string;

  constructor(message: string, outcome: string) {
    super(message);
    this.outcome = outcome;
  }
}

/** Reads everything again. A bad setting does not keep others from being read. Returns at least one line for stderr. */
export async function rereadAll(rereads: readonly Reread[]): Promise<string[]> {
  if (rereads.length === 0) {
    return [
      "nothing is read again at SIGHUP: none of TLS_CERT, TARGETS, AUDIT and a file in REVOKED_TOKENS is set",
    ];
  }
  const lines: string[] = [];
  for (const reread of rereads) {
    try {
      const news = await reread();
      if (news !== undefined) lines.push(`read again: ${news}`);
    } catch (error) {
      const reason = error instanceof ConfigError ? error.message : "an internal error";
      const outcome = error instanceof RereadError ? error.outcome : "The old stays in force";
      lines.push(`cannot read again: ${reason}. ${outcome}`);
    }
  }
  return lines.length ? lines : ["nothing is new since it was read"];
}

/**
 * How long to wait for repeated signals, in milliseconds: a signal that is sent to a process group, and forwarded by one of
 * its processes, arrives twice.
 */
const SETTLE_MS = 50;
/** The same lines are not written again within this time, in milliseconds: on a busy machine such a signal comes late. */
const REPEAT_MS = 1_000;

/**
 * Reads again at SIGHUP, never twice at a time; or calls `stop` if the signal means that the terminal is gone. Signals that
 * arrive before the reading begins count as one.
 */
export function watchHangup(listening: Promise<Pick<Listener, "reread">>, stop: () => void): void {
  const hadTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  let last: Promise<void> = Promise.resolve();
  let isWaiting = false;
  let said = { lines: "", at: -Infinity };
  const rereadSoon = async () => {
    await sleep(SETTLE_MS);
    isWaiting = false;
    const lines = (await (await listening).reread()).map((line) => `fetchvia: ${line}`).join("\n");
    const now = performance.now();
    if (lines !== "" && (lines !== said.lines || now - said.at >= REPEAT_MS)) writeError(lines);
    said = { lines, at: now };
  };
  process.on("SIGHUP", () => {
    if (hadTerminal && isTerminalGone()) return stop();
    if (isWaiting) return;
    isWaiting = true;
    // A failed start has its own message.
    last = last.then(rereadSoon).catch(() => {});
  });
}

/** True if the terminal was closed: then the process must not keep running unnoticed and hold its port. */
function isTerminalGone(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return false;
  } catch {
    return true;
  }
}
