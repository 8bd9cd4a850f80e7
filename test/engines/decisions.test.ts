/**
 * What decides, inside Bun and Deno: the same tests as on Node, in their engines, because those differ in `URL`, `RegExp` and
 * Unicode. workerd runs them over sockets (`conformance/all/worker.test.ts`), and the units in process (`workerd.test.ts`).
 * @module
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../support/proxy.ts";

const VITEST = "node_modules/vitest/vitest.mjs";
/** Rooms of tests that start no process, and read no file that is built. */
const ROOMS = [
  "decisions",
  "two-proxies",
  "command/policy",
  "command/run/",
  ...["address", "door", "exchange", "http", "may", "pages", "settings", "steps", "way", "who"].map((room) =>
    `core/${room}`
  ),
  ...["audit", "capture", "explain", "forms", "gate", "headers", "links", "report", "tokens"].map((part) =>
    `parts/${part}`
  ),
];
/** It takes about a minute on two idle cores. */
const PATIENCE_MS = 600_000;

const { runInstall } = createRequire(import.meta.url)("deno/install_api.cjs") as { runInstall: () => string };

interface Report {
  numTotalTests: number;
  testResults: {
    name: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

it.each([
  { engine: "bun", program: () => "node_modules/.bin/bun", args: ["--bun"] },
  {
    engine: "deno",
    program: runInstall,
    args: ["run", "-A", "--unstable-net"],
  },
])("all of them hold in $engine", async ({ engine, program, args }) => {
  const folder = await mkdtemp(join(tmpdir(), "fetchvia-engine-"));
  const file = join(folder, "report.json");
  const rooms = ROOMS.map((room) => `test/${room}`);
  await run(program(), [
    ...args,
    VITEST,
    "run",
    "--project=unit",
    "--project=isolated",
    "--pool=forks",
    // Nothing of it waits, and each process reads all modules for itself.
    `--maxWorkers=${availableParallelism()}`,
    "--reporter=json",
    `--outputFile=${file}`,
    ...rooms,
  ], engine);
  const { numTotalTests, testResults } = JSON.parse(await readFile(file, "utf8")) as Report;
  await rm(folder, { recursive: true });
  const failed = testResults.flatMap(({ name, message, assertionResults }) => [
    ...assertionResults.length === 0 ? [`${name}: ${message}`] : [],
    ...assertionResults.filter(({ status }) => status === "failed")
      .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0]}`),
  ]);
  expect(failed).toEqual([]);
  expect(numTotalTests).toBeGreaterThan(10_000);
}, PATIENCE_MS);

/** Runs it to its end; a run with red tests exits with 1, which its report tells better. */
function run(program: string, args: string[], engine: string): Promise<void> {
  const env = { ...process.env, FETCHVIA_ENGINE: engine };
  return new Promise((resolve) =>
    execFile(program, args, { cwd: ROOT, env, maxBuffer: 2 ** 26 }, () => resolve())
  );
}
