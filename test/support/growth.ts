/**
 * How the cost of reading a text grows with its length: about 2 for twice the length where it is linear, 4 where it is
 * quadratic. It counts the processor's time of this process, so others on the same machine do not disturb it.
 * @module
 */
import process from "node:process";

/** About the longest head that a runtime takes, and half of it. */
const LENGTH = 65_536;
/** What the machine may add to any measurement. A quadratic reading of so long a text takes many times that. */
const NOISE_MS = 20;
const TRIES = 3;

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

/** How many times what half a text costs the whole one costs. */
export async function measureGrowth(read: (length: number) => unknown): Promise<number> {
  await costOf(read, LENGTH / 16);
  const first = await costOf(read, LENGTH);
  // What is done within the noise can't have grown by more than that.
  if (first < NOISE_MS) return (first + NOISE_MS) / NOISE_MS;
  const whole: number[] = [first];
  const half: number[] = [];
  for (let left = TRIES; left > 0; left -= 1) {
    half.push(await costOf(read, LENGTH / 2));
    if (left > 1) whole.push(await costOf(read, LENGTH));
  }
  return (medianOf(whole) + NOISE_MS) / (medianOf(half) + NOISE_MS);
}

async function costOf(read: (length: number) => unknown, length: number): Promise<number> {
  const before = process.cpuUsage();
  await read(length);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function medianOf(costs: number[]): number {
  return costs.sort((one, other) => one - other)[costs.length >> 1] as number;
}
