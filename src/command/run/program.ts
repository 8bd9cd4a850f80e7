/**
 * The program that `fetchvia run` starts: found, started, and ended together with the proxy (rules 22.5 to 22.7).
 * @module
 */

import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { constants as system } from "node:os";
import { delimiter, join } from "node:path";
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

/** A program that can't be started. */
export class ProgramError extends Error {
  /** The exit code that a shell gives: 127 if it is not found, 126 if it can't be executed. */
  readonly exitCode: 126 | 127;

  constructor(program: string, isFound: boolean) {
    const state = isFound ? "it can't be executed, expected" : "it was not found, expected";
    super(`Cannot run ${JSON.stringify(program)}: ${state} a program in PATH, or the path of one`);
    this.exitCode = isFound ? 126 : 127;
  }
}

/**
 * Checks that there is a program, as a shell looks for it, before anything is started for it.
 *
 * @throws {ProgramError}
 */
export function checkProgram(program: string, path: string): void {
  if (process.platform === "win32") return;
  const places = program.includes("/")
    ? [program]
    : path.split(delimiter).map((folder) => join(folder, program));
  const found = places.filter((place) => statSync(place, { throwIfNoEntry: false }));
  if (!found.some(isExecutable)) throw new ProgramError(program, found.length > 0);
}

function isExecutable(place: string): boolean {
  try {
    accessSync(place, constants.X_OK);
    return statSync(place).isFile();
  } catch {
    return false;
  }
}

/**
 * Runs a program until it ends, and ends all that it has started.
 *
 * @returns its exit code; 128 and the number of the signal that ended it
 * @throws {ProgramError} (as a rejection) if it can't be started
 */
export async function runProgram(
  [program = "", ...args]: readonly string[],
  environment: Record<string, string>,
): Promise<number> {
  const mark = `${MARK}=${crypto.randomUUID()}`;
  const watch = startWatch(mark);
  const child = spawn(program, args, {
    stdio: "inherit",
    env: { ...environment, [MARK]: mark.slice(MARK.length + 1) },
  });
  const ended = new Promise<number>((resolve, reject) => {
    child.on(
      "error",
      ({ code }: NodeJS.ErrnoException) => reject(new ProgramError(program, code !== "ENOENT")),
    );
    child.on("exit", (code, signal) => resolve(code ?? 128 + system.signals[signal ?? "SIGKILL"]));
  });
  watch?.stdin?.write(`${child.pid}\n`);
  handSignalsOn(child);
  try {
    return await ended;
  } finally {
    await endWatch(watch);
  }
}

function handSignalsOn(child: ChildProcess): void {
  const isOnTerminal = [0, 1, 2].some((fd) => isatty(fd));
  for (const signal of SIGNALS) {
    // Deno (2.9) takes a signal that `child.kill` sends for the end of the program.
    process.on(signal, () => void ((isOnTerminal && OF_TERMINAL.includes(signal)) || sendTo(child, signal)));
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
