/**
 * `npm run check`: formatter, linter, type checkers, the packed package and the house rules; exits with 1 when any of
 * them finds something.
 * @module
 */
import { readdir, readFile } from "node:fs/promises";
import { join, posix, resolve } from "node:path";
import { listPackageTools, packPackage } from "./check/package.ts";
import { RULES } from "./check/rules.ts";
import { type Finding, readSources } from "./check/source.ts";
import { listTools, runTool, type Tool, type ToolResult, withScratch } from "./check/tools.ts";

const ROOT = resolve(import.meta.dirname, "..");
const FOLDERS = ["src", "test", "scripts"];
const MANIFESTS = ["package.json", "deno.json"];

/** A line of the report and what belongs under it. */
interface Report {
  name: string;
  about: string;
  details: string[];
}

async function readProject(): Promise<Record<string, string>> {
  const folders = await Promise.all(FOLDERS.map(listFiles));
  const paths = [...folders.flat().sort(), ...MANIFESTS];
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(ROOT, path), "utf8")] as const)),
  );
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, folder), { withFileTypes: true });
  const lists = entries.map((entry) => {
    const path = posix.join(folder, entry.name);
    return entry.isDirectory() ? listFiles(path) : [path];
  });
  return (await Promise.all(lists)).flat();
}

async function checkRules(): Promise<Report[]> {
  const sources = readSources(await readProject());
  return RULES.map(({ name, about, check }) => ({ name, about, details: check(sources).map(formatFinding) }));
}

function formatFinding({ path, line, message }: Finding): string {
  return `${path}:${line} ${message}`;
}

function checkTools(): Promise<Report[]> {
  return withScratch(async (scratch) => {
    const tools = await listTools(ROOT, scratch);
    return (await Promise.all([reportTools(tools), checkPackage(scratch)])).flat();
  });
}

async function checkPackage(scratch: string): Promise<Report[]> {
  const packed = await packPackage(ROOT, scratch);
  if (typeof packed === "string") return await reportTools(listPackageTools(ROOT, packed));
  return [{ name: "pack", about: "the package can be built and packed", details: formatOutput(packed) }];
}

function reportTools(tools: readonly Tool[]): Promise<Report[]> {
  return Promise.all(tools.map(async (tool) => {
    const { name, about } = tool;
    return { name, about, details: formatOutput(await runTool(ROOT, tool)) };
  }));
}

function formatOutput({ passed, output }: ToolResult): string[] {
  return passed ? [] : output.trim().split("\n");
}

const reports = (await Promise.all([checkTools(), checkRules()])).flat();
const failed = reports.filter(({ details }) => details.length > 0);
for (const { name, about, details } of reports) {
  console.log(`${details.length > 0 ? "FAIL" : "ok  "} ${name.padEnd(13)} ${about}`);
  for (const detail of details) console.log(`       ${detail}`);
}
console.log(
  failed.length > 0
    ? `${failed.length} of ${reports.length} checks failed`
    : `${reports.length} checks passed`,
);
process.exitCode = failed.length > 0 ? 1 : 0;
