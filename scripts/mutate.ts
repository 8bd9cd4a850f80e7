/**
 * `npm run mutate`: breaks the code in one place at a time, and runs the tests of `npm test` that reach that place. Lists
 * the mutants that no test detects: either a test is missing there, or the change makes no difference.
 * @module
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Dice } from "../test/support/dice.ts";
import { readCount } from "./bench/options.ts";
import { type Mutant, mutantsOf } from "./mutate/mutants.ts";

const HELP = `npm run mutate -- [options]
  --count=n   how many mutants, default 300
  --seed=n    which ones, default 1
  --from=n    begin with the nth of them, default 1
  --in=path   only files whose path begins so`;

/** The rooms to mutate: those that make decisions, and those of the wire that carry messages. */
const ROOMS = [
  ...["address", "door", "exchange", "http", "may", "settings", "steps", "way", "who"].map((room) =>
    `core/${room}`
  ),
  ...["capture", "forms", "gate", "headers", "links", "tokens"].map((part) => `parts/${part}`),
  ...["client", "codec", "tls", "tunnel"].map((room) => `wire/${room}`),
];
/**
 * A mutant whose test run takes longer than this many milliseconds counts as detected: something hangs. No test has less
 * time, so that a busy machine does not pass for a detection.
 */
const PATIENCE_MS = 300_000;
/** Folders that are not copied: no test needs them, or the copy gets a link to them. */
const LEFT_OUT = /(?:^|\/)(?:node_modules|\.git|dist)$/;

const { values } = parseArgs({
  options: {
    count: { type: "string" },
    seed: { type: "string" },
    from: { type: "string" },
    in: { type: "string", default: "src/" },
    help: { type: "boolean" },
  },
});

/** Draws mutants at random, each with the same probability. */
function draw(all: Mutant[], count: number, seed: number): Mutant[] {
  const dice = new Dice(seed);
  const drawn: Mutant[] = [];
  while (drawn.length < count && all.length > 0) {
    drawn.push(...all.splice(Math.floor(dice.roll() * all.length), 1));
  }
  return drawn;
}

/** Copies the project, so that mutants never appear in the original. */
function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), "fetchvia-mutants-"));
  cpSync(".", folder, { recursive: true, filter: (path) => !LEFT_OUT.test(path) });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  return folder;
}

/** Tests over sockets, on Bun, which runs the sources without a build. */
const OVER_SOCKETS = ["run", "on/bun/forwarding", "on/bun/websockets", "--project=runtimes"];
/** The tests that may detect a mutant, the quickest first: of its file, its folder, its importers, over sockets. */
const ROUNDS: readonly ((path: string) => string[])[] = [
  (path) => ["run", path.replace(/^src\/(.*)\.ts$/, "test/$1."), "--project=unit", "--project=isolated"],
  (path) => ["run", path.replace(/^src\/(.*\/).*/, "test/$1"), "--project=unit"],
  (path) => ["related", path, "--project=unit", "--project=isolated"],
  () => OVER_SOCKETS,
];

/**
 * Runs tests until one fails.
 * @returns the test that failed, and why; `undefined` if none did
 */
async function findFailure(folder: string, asked: readonly string[]): Promise<string | undefined> {
  const options = ["--run", "--bail=1", "--passWithNoTests", `--testTimeout=${PATIENCE_MS}`];
  const child = spawn("node", ["node_modules/vitest/vitest.mjs", ...asked, ...options], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "ignore", "pipe"],
    timeout: PATIENCE_MS,
    killSignal: "SIGKILL",
  });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => void (output += text));
  const [code] = await once(child, "exit");
  if (code === 0) return undefined;
  return /^ *FAIL .*\n.*/m.exec(output)?.[0].replaceAll(/\s+/g, " ").trim() ??
    (code === null ? "time ran out" : "no test ran");
}

/** Which test detects this mutant, if any does. */
async function findKiller(folder: string, mutant: Mutant): Promise<string | undefined> {
  const file = join(folder, mutant.path);
  const sound = readFileSync(file, "utf8");
  writeFileSync(file, mutant.text);
  try {
    for (const round of ROUNDS) {
      const failure = await findFailure(folder, round(mutant.path));
      if (failure !== undefined) return failure;
    }
    return undefined;
  } finally {
    writeFileSync(file, sound);
  }
}

if (values.help) {
  console.log(HELP);
} else {
  const paths = ROOMS.flatMap((room) =>
    readdirSync(`src/${room}`, { recursive: true }).map((name) => `src/${room}/${String(name)}`)
  ).filter((path) => path.endsWith(".ts") && path.startsWith(values.in)).sort();
  const all = paths.flatMap((path) => mutantsOf(path, readFileSync(path, "utf8")));
  const mutants = draw(all, readCount("count", values.count, 300), readCount("seed", values.seed, 1))
    .slice(readCount("from", values.from, 1) - 1);
  const drawn = mutants.length;
  let seen = 0;
  let judged = 0;
  const judge = async (): Promise<void> => {
    const folder = copyProject();
    for (let mutant; (mutant = mutants.shift());) {
      const killer = await findKiller(folder, mutant);
      judged += 1;
      seen += Number(killer !== undefined);
      const { path, line, what } = mutant;
      console.log(
        `${killer ? "seen    " : "NOT SEEN"} ${seen}/${judged} ${path}:${line} ${what}${
          killer ? `, by ${killer}` : ""
        }`,
      );
    }
    rmSync(folder, { recursive: true });
  };
  const folder = copyProject();
  for (const asked of [["run", "--project=unit", "--project=isolated"], OVER_SOCKETS]) {
    const failure = await findFailure(folder, asked);
    if (failure !== undefined) {
      throw new Error(`Cannot judge mutants: a test fails without one, expected none to: ${failure}`);
    }
  }
  rmSync(folder, { recursive: true });
  await Promise.all(Array.from({ length: availableParallelism() }, judge));
  console.log(`${seen} of ${drawn} seen, ${Math.round(seen / drawn * 100)} %`);
  process.exitCode = seen / drawn < 0.9 ? 1 : 0;
}
