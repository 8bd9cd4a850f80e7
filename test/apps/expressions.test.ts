/**
 * The slow house rules: what they find in samples, and in the project; and what knip finds in the project.
 * @module
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SLOW_RULES } from "../../scripts/check/expressions.ts";
import { readSources } from "../../scripts/check/source.ts";
import { APPS } from "../support/apps.ts";
import { ROOT } from "../support/proxy.ts";
import { rowsOf } from "../support/rows.ts";

/** A search takes up to 3 s on an idle machine, where its native program runs, and there are hundreds. */
const TIMEOUT_MS = 900_000;

/** What is found in files given as path → text, as `rule path:line message`. */
function find(files: Record<string, string>): string[] {
  const sources = readSources(files);
  return SLOW_RULES.flatMap(({ name, check }) =>
    check(sources).map(({ path, line, message }) => `${name} ${path}:${line} ${message}`)
  );
}

it.each(rowsOf(["flaw", "path", "text", "found"], [
  ["exponential", "src/ip.ts", "\nf(/(a+)+$/);", "linear src/ip.ts:2 /(a+)+$/ takes exp"],
  [
    "quadratic from any place",
    "src/console/a.ts",
    "f(/=+$/g);",
    "linear src/console/a.ts:1 /=+$/ takes 2nd degree polynomial",
  ],
  [
    "in one of two alternatives",
    "src/ip.ts",
    "\nf(/(?:x|y)|(a+)+$/);",
    "linear src/ip.ts:2 /(?:x|y)|(a+)+$/ takes exp",
  ],
  ["one that can't be judged", "src/ip.ts", "f(/[a&&b]/v);", "linear src/ip.ts:1 /[a&&b]/ can't be judged"],
]))("an expression is found: $flaw", ({ path, text, found }) => {
  expect(find({ [path]: text })).toEqual([expect.stringContaining(found)]);
});

it.each([
  { sample: "each place read once", path: "src/ip.ts", text: "f(/^a+$/, /a+b?/g, /(?:a|b)*$/y);" },
  { sample: "a generated file", path: "src/parts/console/assets.ts", text: "f(/(a+)+$/);" },
  { sample: "not shipped", path: "scripts/a.ts", text: "f(/(a+)+$/);" },
])("an expression passes: $sample", ({ path, text }) => expect(find({ [path]: text })).toEqual([]));

it("src has no slow expression", { timeout: TIMEOUT_MS }, () => {
  const paths = readdirSync("src", { recursive: true, encoding: "utf8" }).map((path) => `src/${path}`);
  const files = paths.filter((path) => path.endsWith(".ts"))
    .map((path) => [path, readFileSync(path, "utf8")] as const);
  expect(find(Object.fromEntries(files))).toEqual([]);
});

it("no file, export or dependency is without a reader", { timeout: TIMEOUT_MS }, () => {
  const args = [
    join(APPS, "node_modules/knip/bin/knip.js"),
    "--config",
    "scripts/check/knip.json",
    "--no-progress",
  ];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" });
  expect({ stdout, stderr, status }).toEqual({ stdout: "", stderr: "", status: 0 });
});
