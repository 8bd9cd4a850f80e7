/**
 * `npm run bench`: measures the proxy and its peers in turn on this machine; docs/benchmark.md says how to read it.
 * @module
 */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, release, tmpdir } from "node:os";
import { join } from "node:path";
import { CASES, type Sample, type Setting } from "./bench/cases.ts";
import { measureCore } from "./bench/core-size.ts";
import { createLoad } from "./bench/load.ts";
import { type BenchOptions, checkPrograms, CORE_CASE, HELP, readBenchOptions } from "./bench/options.ts";
import { type Candidate, listCandidates, ROOT } from "./bench/peers.ts";
import { PINS, pinSelf, stopAll } from "./bench/processes.ts";
import { Results } from "./bench/results.ts";
import { shortenReport } from "./bench/summary.ts";
import { formatReport, type Section } from "./bench/table.ts";
import type { Launched } from "./bench/samples.ts";
import { startTarget } from "./bench/targets.ts";

const PAGE = join(ROOT, "docs/figures.md");
const MARKERS = ["<!-- figures -->", "<!-- /figures -->"] as const;
const CORE: Section = { name: CORE_CASE, title: "Core, minified by esbuild", figures: ["size"] };

const say = (line: string) => console.error(line);

async function runBench(options: BenchOptions): Promise<Results> {
  checkPrograms();
  const results = new Results();
  const folder = await mkdtemp(join(tmpdir(), "fetchvia-bench-"));
  const cleanUp = () => {
    stopAll();
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", cleanUp);
  try {
    if (options.hasCase(CORE_CASE)) await addCore(results);
    const candidates = (await listCandidates(say)).filter(({ name }) => options.hasCandidate(name));
    if (candidates.length === 0) throw new Error("Cannot measure: --only names no candidate that is here");
    pinSelf();
    const [target, load] = [await startTarget(folder), await createLoad(folder)];
    const { seconds, warmSeconds, rate } = options;
    const kept = options.isTogether ? new Map<string, Launched>() : undefined;
    const setting = { target, folder, load, seconds, warmSeconds, rate, kept };
    for (let round = 0; round < options.rounds; round += 1) {
      await runRound(round, candidates, setting, options, results);
    }
    return results;
  } finally {
    cleanUp();
  }
}

async function addCore(results: Results): Promise<void> {
  results.add(CORE_CASE, "own code", 0, { size: await measureCore("external") });
  results.add(CORE_CASE, "with its packages", 0, { size: await measureCore("bundle") });
}

/** How many turns a candidate takes in a case of a round, if all of them keep their processes for the round. */
const TURNS = 5;
/** For how many seconds of CPU time a process works before it is measured again: engines drop code that has rested. */
const AFTER_REST_SECONDS = 0.5;

/** Runs all candidates one after the other within each case, so that a change in the machine's speed affects all of them. */
async function runRound(
  round: number,
  candidates: readonly Candidate[],
  setting: Setting,
  options: BenchOptions,
  results: Results,
): Promise<void> {
  const cases = CASES.filter(({ name }) => options.hasCase(name));
  for (const entry of cases) {
    const turns = setting.kept && entry.hasTurns ? TURNS : 1;
    const seconds = Math.ceil(setting.seconds / turns);
    for (let turn = 0; turn < turns; turn += 1) {
      const warmSeconds = turn === 0 ? setting.warmSeconds : AFTER_REST_SECONDS;
      const about = {
        name: entry.name,
        at: round * TURNS + turn,
        label: `round ${round + 1}/${options.rounds}`,
      };
      for (const candidate of candidates.filter(entry.suits)) {
        await takeSample(
          about,
          candidate,
          () => entry.sample(candidate, { ...setting, seconds, warmSeconds }),
          results,
        );
      }
    }
  }
  for (const { program } of setting.kept?.values() ?? []) await program.stop();
  setting.kept?.clear();
}

async function takeSample(
  { name, at, label }: { readonly name: string; readonly at: number; readonly label: string },
  { name: candidate }: Candidate,
  measure: () => Promise<Sample>,
  results: Results,
): Promise<void> {
  const about = `${label}  ${name.padEnd(12)}${candidate.padEnd(18)}`;
  try {
    const sample = await measure();
    results.add(name, candidate, at, sample);
    const figures = Object.entries(sample).map(([figure, value]) => `${figure} ${value.toPrecision(4)}`);
    say(`${about} ${figures.join("  ")}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    results.failures.push({ case: name, candidate, reason });
    say(`${about} FAILED: ${reason}`);
  }
}

/** Other work of the machine changes all figures, so the report tells how much there was. */
const [LOAD_BEFORE = 0] = loadavg();

function listFacts({ rounds, seconds, warmSeconds, rate, isTogether }: BenchOptions): string[] {
  const node = spawnSync("node", ["--version"], { encoding: "utf8" }).stdout?.trim();
  const commit = spawnSync("git", ["rev-parse", "--short", "HEAD"], { cwd: ROOT, encoding: "utf8" }).stdout
    ?.trim();
  const day = new Date().toISOString().slice(0, 10);
  return [
    `- ${day}, ${cpus()[0]?.model} (${availableParallelism()} cores, load average before the run ${
      LOAD_BEFORE.toFixed(2)
    }), Linux ${release()}, commit ${commit}`,
    `- Bun ${Bun.version}, Deno ${denoVersion()}, Node ${node}, ${nativeVersions()}`,
    `- medians of ${rounds} ${
      rounds === 1 ? "round" : "rounds"
    } of ${seconds} s after ${warmSeconds} s of CPU time${
      isTogether
        ? `, one process of a candidate for all cases of a round, ${TURNS} turns of each with 32 connections,`
        : ","
    } ${rate} requests per second at the fixed rate; load: wrk and our own, target: nginx${
      PINS ? "" : "; **not pinned to cores**"
    }`,
  ];
}

function nativeVersions(): string {
  const said = [["nginx", "-v"], ["haproxy", "-v"]].map(([program = "", flag = ""]) => {
    const { stdout, stderr } = spawnSync(program, [flag], { encoding: "utf8" });
    return `${program} ${/\d+\.\d+\.\d+/.exec(stderr || stdout || "")?.[0] ?? "not installed"}`;
  });
  return said.join(", ");
}

function denoVersion(): string {
  const { stdout } = spawnSync(join(ROOT, "node_modules/.bin/deno"), ["--version"], { encoding: "utf8" });
  return /^deno (\S+)/.exec(stdout ?? "")?.[1] ?? "unknown";
}

async function writePage(report: string): Promise<void> {
  const page = await readFile(PAGE, "utf8");
  const [begin, end] = MARKERS.map((marker) => page.indexOf(marker)) as [number, number];
  if (begin < 0 || end < begin) {
    throw new Error(`Cannot write the figures: ${PAGE} lacks ${MARKERS.join(" and ")}`);
  }
  const head = page.slice(0, begin + MARKERS[0].length);
  await writeFile(PAGE, `${head}\n\n${shortenReport(report)}\n\n${page.slice(end)}`);
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

try {
  const options = readBenchOptions(process.argv.slice(2));
  if (options.help) console.log(HELP);
  else {
    const results = await runBench(options);
    const report = formatReport([...CASES, CORE], results, listFacts(options));
    console.log(report);
    if (options.write) await writePage(report);
    if (results.failures.length > 0) process.exitCode = 1;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
