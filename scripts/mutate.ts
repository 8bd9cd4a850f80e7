/**
 * `npm run mutate`: breaks the code in one place at a time, and asks the tests of `npm test` that reach it whether they see it.
 * What they do not see is listed: a test is missing there, or the place makes no difference.
 * @module
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Dice } from "../test/support/dice.ts";
import { readCount } from "./bench/options.ts";
import { type Mutant, mutantsOf } from "./mutate/mutants.ts";

const HELP = `npm run mutate -- [options]
  --count=n   how many mutants, default 300
  --seed=n    which ones, default 1
  --in=path   only files whose path begins so`;

/** What decides, and the codec that carries. */
const ROOMS = ["steps", "door", "exchange", "address", "http", "settings", "runtimes/http1"];
/** A mutant that ends no test run within this many milliseconds is seen: something hangs. */
const PATIENCE_MS = 300_000;
/** What no test needs, or stands in the copy by a link. */
const LEFT_OUT = /(?:^|\/)(?:node_modules|\.git|dist)$/;

const { values } = parseArgs({
  options: {
    count: { type: "string" },
    seed: { type: "string" },
    in: { type: "string", default: "src/" },
    help: { type: "boolean" },
  },
});

/** Draws mutants, each place as likely as any other. */
function draw(all: Mutant[], count: number, seed: number): Mutant[] {
  const dice = new Dice(seed);
  const drawn: Mutant[] = [];
  while (drawn.length < count && all.length > 0) {
    drawn.push(...all.splice(Math.floor(dice.roll() * all.length), 1));
  }
  return drawn;
}

/** A copy of the project, so that nobody sees the mutants. */
function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), "fetchvia-mutants-"));
  cpSync(".", folder, { recursive: true, filter: (path) => !LEFT_OUT.test(path) });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  return folder;
}

/** True if a test fails, or none ends. */
function isSeen(folder: string, ...asked: string[]): boolean {
  const command = [
    "node_modules/vitest/vitest.mjs",
    ...asked,
    "--run",
    "--bail=1",
    "--project=unit",
    "--project=isolated",
  ];
  const { status } = spawnSync("node", command, {
    cwd: folder,
    stdio: "ignore",
    timeout: PATIENCE_MS,
    killSignal: "SIGKILL",
  });
  return status !== 0;
}

if (values.help) {
  console.log(HELP);
} else {
  const paths = ROOMS.flatMap((room) =>
    readdirSync(`src/${room}`, { recursive: true }).map((name) => `src/${room}/${String(name)}`)
  ).filter((path) => path.endsWith(".ts") && path.startsWith(values.in)).sort();
  const all = paths.flatMap((path) => mutantsOf(path, readFileSync(path, "utf8")));
  const mutants = draw(all, readCount("count", values.count, 300), readCount("seed", values.seed, 1));
  const folder = copyProject();
  if (isSeen(folder, "run")) {
    throw new Error("Cannot judge mutants: a test fails without one, expected none to");
  }
  let seen = 0;
  for (const [index, { path, line, text, what }] of mutants.entries()) {
    const file = join(folder, path);
    const sound = readFileSync(file, "utf8");
    writeFileSync(file, text);
    const isKilled = isSeen(folder, "related", path);
    writeFileSync(file, sound);
    seen += Number(isKilled);
    console.log(`${isKilled ? "seen    " : "NOT SEEN"} ${seen}/${index + 1} ${path}:${line} ${what}`);
  }
  rmSync(folder, { recursive: true });
  console.log(`${seen} of ${mutants.length} seen, ${Math.round(seen / mutants.length * 100)} %`);
  process.exitCode = seen / mutants.length < 0.9 ? 1 : 0;
}
