/**
 * `npm run mutate`: breaks the code in one place at a time, and asks the tests of `npm test` that reach it whether they see it.
 * What they do not see is listed: a test is missing there, or the place makes no difference.
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
  --in=path   only files whose path begins so`;

/** What decides, and the codec that carries. */
const ROOMS = [
  ...["address", "door", "exchange", "http", "may", "settings", "steps", "way", "who"].map((room) =>
    `core/${room}`
  ),
  ...["capture", "forms", "gate", "headers", "links", "tokens"].map((part) => `parts/${part}`),
  ...["client", "codec", "tls", "tunnel"].map((room) => `wire/${room}`),
];
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

/** On Bun, which runs the sources as they are. */
const OVER_SOCKETS = ["run", "on/bun/forwarding", "on/bun/websockets", "--project=runtimes"];
/** The tests of `npm test` that may see a mutant, the quickest first: of its file, its folder, what loads it, over sockets. */
const ROUNDS: readonly ((path: string) => string[])[] = [
  (path) => ["run", path.replace(/^src\/(.*)\.ts$/, "test/$1."), "--project=unit", "--project=isolated"],
  (path) => ["run", path.replace(/^src\/(.*\/).*/, "test/$1"), "--project=unit"],
  (path) => ["related", path, "--project=unit", "--project=isolated"],
  () => OVER_SOCKETS,
];

/** True if a test fails, or none ends. */
async function isSeen(folder: string, asked: readonly string[]): Promise<boolean> {
  const command = ["node_modules/vitest/vitest.mjs", ...asked, "--run", "--bail=1", "--passWithNoTests"];
  const child = spawn("node", command, {
    cwd: folder,
    stdio: "ignore",
    timeout: PATIENCE_MS,
    killSignal: "SIGKILL",
  });
  const [code] = await once(child, "exit");
  return code !== 0;
}

/** True if a round of tests sees that this file is broken. */
async function isKilled(folder: string, { path, text }: Mutant): Promise<boolean> {
  const file = join(folder, path);
  const sound = readFileSync(file, "utf8");
  writeFileSync(file, text);
  try {
    for (const round of ROUNDS) if (await isSeen(folder, round(path))) return true;
    return false;
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
  const mutants = draw(all, readCount("count", values.count, 300), readCount("seed", values.seed, 1));
  const drawn = mutants.length;
  let seen = 0;
  let judged = 0;
  const judge = async (): Promise<void> => {
    const folder = copyProject();
    for (let mutant; (mutant = mutants.shift());) {
      const killed = await isKilled(folder, mutant);
      judged += 1;
      seen += Number(killed);
      const { path, line, what } = mutant;
      console.log(`${killed ? "seen    " : "NOT SEEN"} ${seen}/${judged} ${path}:${line} ${what}`);
    }
    rmSync(folder, { recursive: true });
  };
  const folder = copyProject();
  for (const asked of [["run", "--project=unit", "--project=isolated"], OVER_SOCKETS]) {
    if (await isSeen(folder, asked)) {
      throw new Error("Cannot judge mutants: a test fails without one, expected none to");
    }
  }
  rmSync(folder, { recursive: true });
  await Promise.all(Array.from({ length: availableParallelism() }, judge));
  console.log(`${seen} of ${drawn} seen, ${Math.round(seen / drawn * 100)} %`);
  process.exitCode = seen / drawn < 0.9 ? 1 : 0;
}
