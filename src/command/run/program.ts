/**
 * The program that `fetchvia run` starts: found, started, and ended together with the proxy (rules 22.5 to 22.7).
 * @module
 */

import { type ChildProcess, spawn } from "node:child_process";
import { constants as system } from "node:os";
import { isatty } from "node:tty";

/** The variable by which all processes of a run are found again. */
const MARK = "FETCHVIA_RUN";

/** Signals that are handed on. */
const SIGNALS = ["SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGINT", "SIGQUIT"] as const;
/** A terminal sends these to the program by itself: it would get them twice. */
const OF_TERMINAL: readonly string[] = ["SIGINT", "SIGQUIT"];

/**
 * Ends all that is left of a run, once its stdin ends: a pipe from the proxy's process, so that this happens after SIGKILL
 * too. `$1` is the mark. The first line is the id of the program, for systems without `/proc`; the second one says that it
 * has ended. Rounds are counted, because what can't be killed is found again.
 */
const WATCH = `trap '' INT TERM HUP QUIT
read -r program; read -r ended || kill -9 "$program"
round=0
while [ $((round += 1)) -le 100 ]; do
  found=$(grep -lsF "$1" /proc/[0-9]*/environ)
  [ "$found" ] || exit
  for file in $found; do process=\${file#/proc/}; kill -9 "\${process%/environ}"; done
done`;

/**
 * Runs a program until it ends, and ends all that it has started.
 *
 * @param started called once the program runs
 * @returns its exit code; 128 and the number of the signal that ended it
 * @throws {Error} (as a rejection) if it can't be started, with the `exitCode` that a shell gives: 127 if it is not found,
 * 126 if it can't be executed
 */
export async function runProgram(
  [program = "", ...args]: readonly string[],
  environment: Record<string, string>,
  started: () => void,
): Promise<number> {
  const mark = `${MARK}=${crypto.randomUUID()}`;
  const watch = startWatch(mark);
  // A program may ask for a signal as soon as it runs.
  handSignalsOn((signal) => sendTo(child, signal));
  const child = spawn(program, args, {
    stdio: "inherit",
    env: { ...environment, [MARK]: mark.slice(MARK.length + 1) },
  });
  const ended = new Promise<number>((resolve, reject) => {
    child.on("error", ({ code }: NodeJS.ErrnoException) => reject(describeFault(program, code)));
    child.on("exit", (code, signal) => resolve(code ?? 128 + system.signals[signal ?? "SIGKILL"]));
  });
  if (child.pid !== undefined) started();
  watch?.stdin?.write(`${child.pid}\n`);
  try {
    return await ended;
  } finally {
    await endWatch(watch);
  }
}

function describeFault(program: string, code: string | undefined): Error {
  const [exitCode, state] = code === "ENOENT" ? [127, "it was not found"] : [126, "it can't be executed"];
  const text = `Cannot run ${
    JSON.stringify(program)
  }: ${state}, expected a program in PATH, or the path of one`;
  return Object.assign(new Error(text), { exitCode });
}

function handSignalsOn(send: (signal: NodeJS.Signals) => void): void {
  const isOnTerminal = [0, 1, 2].some((fd) => isatty(fd));
  for (const signal of SIGNALS) {
    // Deno (2.9) takes a signal that `child.kill` sends for the end of the program.
    process.on(signal, () => void ((isOnTerminal && OF_TERMINAL.includes(signal)) || send(signal)));
  }
}

function sendTo({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, signal);
  } catch {
    // It has just ended.
  }
}

/** Starts what outlives this process; it has no part of its environment. */
function startWatch(mark: string): ChildProcess | undefined {
  if (process.platform === "win32") return undefined;
  const { PATH = "" } = process.env;
  return spawn("/bin/sh", ["-c", WATCH, "sh", mark], { stdio: ["pipe", "ignore", "ignore"], env: { PATH } });
}

function endWatch(watch: ChildProcess | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (!watch || watch.exitCode !== null || watch.pid === undefined) return resolve();
    watch.on("exit", () => resolve());
    watch.stdin!.end("ended\n");
  });
}
