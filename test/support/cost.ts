/**
 * What a piece of work costs a proxy: how long nobody else is answered meanwhile, and how much memory it takes (Linux).
 * @module
 */
import { readFile, writeFile } from "node:fs/promises";
import { peakBytes, residentBytes } from "./flood.ts";
import type { Proxy } from "./proxy.ts";

/** What the system counts a process's time in. */
const TICK_MS = 10;

/** The longest time between two answers to health checks while the work is done, in milliseconds. */
export async function longestGap(proxy: Pick<Proxy, "call">, work: () => Promise<void>): Promise<number> {
  let isDone = false;
  let longest = 0;
  const watch = async () => {
    for (let before = performance.now(); !isDone;) {
      await proxy.call("GET /__proxy__/health", { timeout: 60_000 });
      const now = performance.now();
      longest = Math.max(longest, now - before);
      before = now;
    }
  };
  const watched = watch();
  await work().finally(() => (isDone = true));
  await watched;
  return longest;
}

/** The least of a few tries: another program may disturb one of them, what the work itself costs is in all. */
export async function leastOf(tries: number, measure: () => Promise<number>): Promise<number> {
  let least = Infinity;
  for (let left = tries; left > 0; left -= 1) least = Math.min(least, await measure());
  return least;
}

/** How long a process computes while the work is done, in milliseconds, on all its threads (proc(5), stat). */
export async function processorMs(pid: number, work: () => Promise<void>): Promise<number> {
  const before = await readProcessor(pid);
  await work();
  return await readProcessor(pid) - before;
}

async function readProcessor(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // The name of the program, in brackets, may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** By how many bytes the memory of a process grows beyond what it had before the work, at its highest. */
export async function growthOf(pid: number, work: () => Promise<void>): Promise<number> {
  // The highest mark starts anew from what is resident now (proc(5), clear_refs).
  await writeFile(`/proc/${pid}/clear_refs`, "5");
  const before = await residentBytes(pid);
  await work();
  return await peakBytes(pid) - before;
}
