/**
 * A program that is started, and ended together with this process: that of `fetchvia run` (rules 22.5 to 22.7).
 * @module
 */

import { Buffer } from "node:buffer";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { constants as system } from "node:os";
import { isatty } from "node:tty";

/** The variable by which all processes of a run are found again. */
const MARK = "FETCHVIA_RUN";

/** Signals that are handed on. A terminal sends the second ones to the program by itself: it would get them twice. */
const SIGNALS = ["SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2"] as const;
const OF_TERMINAL = ["SIGINT", "SIGQUIT"] as const;

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
  const mark = crypto.randomUUID();
  const watch = startWatch(`${MARK}=${mark}`);
  // A program may ask for a signal as soon as it runs.
  handSignalsOn((signal) => process.kill(child.pid!, signal));
  const child = spawn(program, args, { stdio: "inherit", env: { ...environment, [MARK]: mark } });
  if (child.pid !== undefined) started();
  watch.stdin.write(`${child.pid}\n`);
  try {
    const [code, signal] = await once(child, "exit") as [number | null, NodeJS.Signals | null];
    return code ?? 128 + system.signals[signal ?? "SIGKILL"];
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const [exitCode, fault] = isMissing ? [127, "it was not found"] : [126, "it can't be executed"];
    const message = `${JSON.stringify(program)}: ${fault}, expected a program in PATH, or the path of one`;
    throw Object.assign(new Error(`Cannot run ${message}`), { exitCode });
  } finally {
    watch.stdin.end("ended\n");
    await watch.ended;
  }
}

/** @param send throws where the program has just ended; Deno (2.9) takes a signal that `child.kill` sends for its end */
function handSignalsOn(send: (signal: NodeJS.Signals) => void): void {
  const isOnTerminal = [0, 1, 2].some((fd) => isatty(fd));
  const pass = (signal: NodeJS.Signals) => {
    try {
      send(signal);
    } catch {
      // It has just ended.
    }
  };
  for (const signal of SIGNALS) process.on(signal, pass);
  for (const signal of OF_TERMINAL) process.on(signal, isOnTerminal ? () => {} : pass);
  if (process.versions["deno"]) process.prependListener("SIGUSR1", endBeforeDebugger);
}

/** Deno (since 2.9.2) opens a debugger at SIGUSR1, whoever listens: by that, others could read the keys. */
function endBeforeDebugger(): void {
  try {
    writeSync(2, "fetchvia run: SIGUSR1 ends a run on Deno, which would open its debugger\n");
  } finally {
    process.exit(128 + system.signals.SIGUSR1);
  }
}

/** Starts what outlives this process and its group; it has no part of its environment. Where there is no shell, nothing does. */
function startWatch(mark: string) {
  const watch = spawn("/bin/sh", ["-c", WATCH, "sh", mark], {
    env: { PATH: [process.env["PATH"], "/usr/bin:/bin"].filter(Boolean).join(":") },
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watch.stdin.on("error", () => {});
  const ended = new Promise((resolve) => watch.on("exit", resolve).on("error", resolve));
  return { stdin: watch.stdin, ended };
}

/**
 * Overwrites the values of these variables in `/proc/<pid>/environ` of Linux; `process.env` keeps them. Where that can't be
 * done, they stay: other processes of the same user can read the memory of this one all the same.
 *
 * @see proc_pid_stat(5): `env_start` is 47 places behind the name of the process
 */
export function hideVariables(names: ReadonlySet<string>): void {
  const kept = Object.entries(process.env).filter(([name]) => names.has(name));
  try {
    const start = Number(readFileSync("/proc/self/stat", "latin1").split(") ").at(-1)!.split(" ")[47]);
    // A character is a byte here, but in a name as `process.env` has it.
    const isHidden = (name: string) => names.has(Buffer.from(name, "latin1").toString());
    const hidden = readFileSync("/proc/self/environ", "latin1").replace(
      /(?<![^\0])([^=\0]*)=[^\0]*/g,
      (variable, name: string) => isHidden(name) ? `${name}=`.padEnd(variable.length, "\0") : variable,
    );
    const memory = openSync("/proc/self/mem", "r+");
    writeSync(memory, Buffer.from(hidden, "latin1"), 0, hidden.length, start);
    closeSync(memory);
  } catch {
    // No /proc, or one that can't be written.
  }
  for (const [name, value] of kept) process.env[name] = value;
}
