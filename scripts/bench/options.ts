/**
 * The options of `npm run bench`.
 * @module
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { CASES } from "./cases.ts";

/** What `--help` prints. */
export const HELP = `npm run bench -- [options]
  --quick            1 second, 1 round, case 100B unless --cases says more
  --only=a,b         candidates whose name is a or begins with b- (ours stands for ours-bun, ours-bun-quiet, …)
  --main             100B, path, fields, 512c and half, of ours with key and cookie, one peer and the floor for each runtime,
                     nginx and haproxy; sets --together
  --cases=a,b        of ${[...CASES.map(({ name }) => name), "core"].join(", ")}
  --rounds=n         rounds, default 3
  --seconds=n        seconds per measurement, default 10
  --warm=n           seconds of CPU time that a process works before it is measured, default 10, with --quick 1
  --rate=n           requests per second of the case half, default 8000
  --together         a candidate keeps its process for all cases of a round, and takes turns of a fifth of the seconds where
                     connections are few: shorter, no peak of memory
  --write            put the figures into docs/figures.md`;

/** The cases and candidates of `--main`. */
const MAIN_CASES = "100B,path,fields,512c,half";
const MAIN =
  /^(?:ours-[a-z]+(?:-keyed|-cookie)?|floor-[a-z]+|hono-bun|bare-deno|http-proxy-3|nginx|haproxy)$/;

/** The name of the case that has no candidates. */
export const CORE_CASE = "core";

/** What a run of the bench does. */
export interface BenchOptions {
  help: boolean;
  write: boolean;
  rounds: number;
  seconds: number;
  warmSeconds: number;
  rate: number;
  isTogether: boolean;
  hasCase(name: string): boolean;
  hasCandidate(name: string): boolean;
}

/**
 * Reads the options.
 *
 * @throws {Error} in one line, for unknown or bad options
 */
export function readBenchOptions(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      together: { type: "boolean", default: false },
      only: { type: "string" },
      main: { type: "boolean", default: false },
      cases: { type: "string" },
      rounds: { type: "string" },
      seconds: { type: "string" },
      warm: { type: "string" },
      rate: { type: "string" },
    },
  });
  const { help, quick, write, only, main } = values;
  const known = [...CASES.map(({ name }) => name), CORE_CASE];
  const cases = splitList(values.cases ?? (quick ? "100B" : main ? MAIN_CASES : known.join()));
  for (const name of cases) {
    if (!known.includes(name)) fail("cases", name, `some of ${known.join()}`);
  }
  const names = only === undefined ? undefined : splitList(only);
  return {
    help,
    write,
    rounds: readCount("rounds", values.rounds, quick ? 1 : 3),
    seconds: readCount("seconds", values.seconds, quick ? 1 : 10),
    warmSeconds: readCount("warm", values.warm, quick ? 1 : 10),
    rate: readCount("rate", values.rate, 8_000),
    hasCase: (name) => cases.includes(name),
    isTogether: values.together || main,
    hasCandidate: (name) =>
      (!main || MAIN.test(name)) &&
      (names?.some((wanted) => name === wanted || name.startsWith(`${wanted}-`)) ?? true),
  };
}

function splitList(text: string): string[] {
  return text.split(",").map((part) => part.trim()).filter(Boolean);
}

/**
 * Reads a flag with a number.
 *
 * @throws {Error} in one line, unless it is a whole number of at least 1
 */
export function readCount(name: string, text: string | undefined, preset: number): number {
  const count = Number(text ?? preset);
  return Number.isInteger(count) && count > 0 ? count : fail(name, text, "a whole number from 1 on");
}

function fail(name: string, text: string | undefined, expected: string): never {
  throw new Error(`--${name} is ${JSON.stringify(text)}, expected ${expected}`);
}

/**
 * Makes sure that the load generator, the target and the tool for its certificate are installed.
 *
 * @throws {Error} in one line, if one is missing
 */
export function checkPrograms(): void {
  for (const program of ["wrk", "nginx", "openssl"]) {
    if (spawnSync("sh", ["-c", `command -v ${program}`]).status !== 0) {
      throw new Error(`Cannot measure: ${program} is not installed, expected wrk, nginx and openssl`);
    }
  }
}
