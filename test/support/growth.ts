/**
 * How the cost of reading a text grows with its length: about 2 for twice the length where it is linear, 4 where it is
 * quadratic. It counts the processor's time of this thread, so others on the same machine do not disturb it, nor does what
 * the engine collects and compiles beside it.
 * @module
 */
import { readFileSync } from "node:fs";
import process from "node:process";

/** About the longest head that is read. A quadratic reading of it takes a hundred times as long as a linear one. */
const LENGTH = 60_000;
/** What compiling, collecting and other programs may add to any measurement; a quadratic reading takes many times that. */
const NOISE_MS = 30;
/** Costs that grow more than this are not linear. */
const LIMIT = 3;
const TRIES = 5;

/** The texts that have led astray what looks for a pattern: runs of what escapes, separates, pads or quotes. */
export const HOSTILE: readonly string[] = [
  "\\",
  "%",
  "%25",
  "%2525",
  "%2f",
  "\\u00",
  "\\/",
  " ",
  "\t",
  ";",
  "; ",
  ",",
  ", ,",
  "=",
  "=;",
  '"',
  '"\\',
  "'",
  "/",
  "//@",
  "/..",
  "?",
  "&",
  "#",
  ":",
  "http://",
  "a",
  "0",
  "a=",
  "a.",
  "-",
  "--",
  "<",
  "</",
  "{{",
  "{{A",
  "[",
  "(",
  "\n",
  "\r\n",
  "\xe9",
];

/** A text of some length that repeats a unit, between a beginning and an end. */
export function repeat(
  unit: string,
  length: number,
  [begin, end]: readonly [string, string] = ["", ""],
): string {
  return begin + unit.repeat(Math.ceil(length / unit.length)).slice(0, length) + end;
}

/** The units of which twice as many cost more than three times as much, each with that ratio. */
export async function findSteep(
  read: (text: string) => unknown,
  units: readonly string[] = HOSTILE,
  ends?: readonly [string, string],
): Promise<string[]> {
  const steep: string[] = [];
  for (const unit of units) {
    const growth = await measureGrowth((length) => read(repeat(unit, length, ends)));
    if (growth >= LIMIT) steep.push(`${JSON.stringify(unit)} ${growth.toFixed(1)}`);
  }
  return steep;
}

/** How many times what half a text costs the whole one costs. One look is enough where it is plainly below the limit. */
export async function measureGrowth(read: (length: number) => unknown): Promise<number> {
  await costOf(read, LENGTH / 16);
  const least = { whole: Infinity, half: Infinity };
  let growth = Infinity;
  for (let left = TRIES; left > 0 && growth > LIMIT - 0.5; left -= 1) {
    least.whole = Math.min(least.whole, await costOf(read, LENGTH));
    // What is done within the noise can't have grown by more than that.
    if (least.whole < NOISE_MS) return least.whole / NOISE_MS + 1;
    least.half = Math.min(least.half, await costOf(read, LENGTH / 2));
    growth = (least.whole + NOISE_MS) / (least.half + NOISE_MS);
  }
  return growth;
}

/** In milliseconds. Compiling and collecting may add to one of several tries; what the work itself costs is in all. */
async function costOf(read: (length: number) => unknown, length: number): Promise<number> {
  const before = spentMs();
  await read(length);
  return spentMs() - before;
}

/** The processor's time of this thread (proc(5), schedstat); of the whole process where there is no such file. */
function spentMs(): number {
  try {
    return Number(readFileSync("/proc/thread-self/schedstat", "latin1").split(" ")[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
}
