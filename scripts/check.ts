/**
 * `npm run check`: formatter, linter, type checkers, the packed package, the house rules and the budgets. Each is printed
 * with its time when it ends; exits with 1 when any of them finds something. `npm run check -- types rules` runs some.
 * @module
 */
import { readdir, readFile } from "node:fs/promises";
import { join, posix, resolve } from "node:path";
import { writeAssets } from "./console.ts";
import { checkBudgets } from "./check/budgets.ts";
import { SLOW_RULES } from "./check/expressions.ts";
import { judgePackage, packPackage } from "./check/package.ts";
import { RULES } from "./check/rules.ts";
import { type Finding, readSources, type Rule } from "./check/source.ts";
import { listTools, runTool, type ToolResult, withScratch } from "./check/tools.ts";

const ROOT = resolve(import.meta.dirname, "..");
const FOLDERS = ["src", "test", "scripts"];
const BESIDE = ["package.json", "deno.json"];
/** How many checks run at once: each tool already uses several cores. */
const AT_ONCE = 2;

/** One check: its name, and how it finds what is wrong. */
interface Check {
  name: string;
  about: string;
  run(): Promise<string[]>;
}

async function readProject(): Promise<Record<string, string>> {
  const folders = await Promise.all(FOLDERS.map(listFiles));
  const files = await readdir(join(ROOT, "docs"), { recursive: true });
  const pages = files.filter((name) => name.endsWith(".md") && !name.includes("node_modules")).sort();
  const paths = [...folders.flat().sort(), ...pages.map((name) => `docs/${name}`), ...BESIDE];
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(ROOT, path), "utf8")] as const)),
  );
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, folder), { withFileTypes: true });
  const lists = entries.map((entry) => {
    if (entry.name === "node_modules") return [];
    const path = posix.join(folder, entry.name);
    return entry.isDirectory() ? listFiles(path) : [path];
  });
  return (await Promise.all(lists)).flat();
}

async function findBroken(rules: readonly Rule[]): Promise<string[]> {
  const sources = readSources(await readProject());
  return rules.flatMap(({ name, check }) =>
    check(sources).map((found) => `${name}: ${formatFinding(found)}`)
  );
}

function formatFinding({ path, line, message }: Finding): string {
  return `${path}:${line} ${message}`;
}

function formatOutput({ passed, output }: ToolResult): string[] {
  return passed ? [] : output.trim().split("\n");
}

async function checkPackage(scratch: string): Promise<string[]> {
  const packed = await packPackage(ROOT, scratch);
  if (typeof packed !== "string") return formatOutput(packed);
  return formatOutput(await runTool(ROOT, judgePackage(ROOT, packed)));
}

async function listChecks(scratch: string): Promise<Check[]> {
  const tools = await listTools(ROOT, scratch);
  return [
    {
      name: "package",
      about: "the package is built and packed; publint",
      run: () => checkPackage(scratch),
    },
    ...tools.map((tool) => ({
      name: tool.name,
      about: tool.about,
      run: async () => formatOutput(await runTool(ROOT, tool)),
    })),
    { name: "rules", about: "the rules of the house", run: () => findBroken(RULES) },
    { name: "budgets", about: "lines by room", run: () => checkBudgets(ROOT) },
    { name: "linear", about: "no regular expression is slow", run: () => findBroken(SLOW_RULES) },
  ];
}

/** The slow searches are left to `npm run test:all`, unless they are asked for. */
const LEFT_OUT = ["linear"];

async function runChecks(asked: readonly string[]): Promise<string[]> {
  await writeAssets();
  return await withScratch(async (scratch) => {
    const checks = await listChecks(scratch);
    const unknown = asked.filter((name) => !checks.some((check) => check.name === name));
    if (unknown.length > 0) {
      throw new Error(`There is no check ${unknown}, expected ${checks.map(({ name }) => name).join(", ")}`);
    }
    const queue = checks.filter(({ name }) =>
      asked.length > 0 ? asked.includes(name) : !LEFT_OUT.includes(name)
    );
    const waiting = queue.values();
    const failed: string[] = [];
    const take = async () => {
      for (const check of waiting) if (!await report(check)) failed.push(check.name);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, take));
    console.log(failed.length > 0 ? `${failed.join(", ")} failed` : `${queue.length} checks passed`);
    return failed;
  });
}

/** Runs one and prints it; true if it found nothing. */
async function report({ name, about, run }: Check): Promise<boolean> {
  const start = performance.now();
  const details = await run();
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  console.log(
    `${details.length > 0 ? "FAIL" : "ok  "} ${name.padEnd(12)} ${seconds.padStart(5)} s  ${about}`,
  );
  for (const detail of details) console.log(`       ${detail}`);
  return details.length === 0;
}

const failed = await runChecks(process.argv.slice(2));
process.exitCode = failed.length > 0 ? 1 : 0;
