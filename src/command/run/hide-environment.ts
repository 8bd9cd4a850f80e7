/**
 * Takes secrets out of what the system shows of this process: on Linux, `/proc/<pid>/environ` (rule 22.2).
 * @module
 * @see proc_pid_environ(5), proc_pid_stat(5)
 */

import { Buffer } from "node:buffer";
import { closeSync, openSync, readFileSync, readSync, writeSync } from "node:fs";

/** Places of `env_start` and `env_end` behind the name of the process in `/proc/self/stat`. */
const [ENV_START, ENV_END] = [47, 48];

/**
 * Overwrites the values of these variables where the system reads them; `process.env` keeps them. Where that can't be done,
 * the values stay: other processes of the same user can read the memory of this one all the same.
 */
export function hideVariables(names: ReadonlySet<string>): void {
  const values = [...names].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  try {
    overwrite(names);
  } catch {
    // No /proc, or one that can't be written.
  }
  for (const [name, value] of values) process.env[name] = value;
}

function overwrite(names: ReadonlySet<string>): void {
  const fields = readFileSync("/proc/self/stat", "latin1").split(") ").at(-1)!.split(" ");
  const start = Number(fields[ENV_START]);
  const block = Buffer.alloc(Number(fields[ENV_END]) - start);
  const memory = openSync("/proc/self/mem", "r+");
  try {
    readSync(memory, block, 0, block.length, start);
    let at = 0;
    for (const variable of block.toString("latin1").split("\0")) {
      const name = variable.slice(0, variable.indexOf("="));
      if (names.has(name)) block.fill(0, at + name.length + 1, at + variable.length);
      at += variable.length + 1;
    }
    writeSync(memory, block, 0, block.length, start);
  } finally {
    closeSync(memory);
  }
}
