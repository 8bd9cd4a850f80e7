/**
 * The delete test: without any of its parts the project has right types, builds, and passes the tests of the core and of the
 * other parts. Without all of them it is the core.
 * @module
 */
import { execFile } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createVitest, type TestModule, type Vitest } from "vitest/node";
import { ROOT } from "../support/proxy.ts";
import { ProjectCopy, type Remains } from "../support/without-parts.ts";

const run = promisify(execFile);

/** Files of the tests in which rows of a part stand beside those of the core. All else must pass without it. */
const ROWS_IN: Readonly<Record<string, readonly string[]>> = {
  audit: [],
  capture: ["core/address/reserved-paths", "core/pages/host"],
  console: ["core/address/reserved-paths", "core/pages/host"],
  explain: [],
  forms: ["core/exchange/hooks", "parts/explain/explain"],
  gate: ["core/settings/option-names", "core/steps/send.upstream", "parts/explain/explain"],
  headers: ["core/settings/option-names", "core/steps/request", "core/steps/request.kept"],
  links: ["core/door/admission"],
  metrics: [],
  report: [],
  tokens: ["core/steps/request.kept"],
};
const PARTS = Object.keys(ROWS_IN);

/**
 * The parts that are left in each copy. A test is about four of them at most; for each of the others there is a copy without it
 * and with those four. So seven copies show what one for each part would.
 */
const KEPT: readonly (readonly string[])[] = [
  ["explain", "gate", "links", "report", "tokens"],
  ["forms", "gate", "headers", "tokens"],
  ["capture", "console", "explain", "forms", "gate", "metrics", "report", "tokens"],
  ["audit", "explain", "forms", "gate"],
  ["capture", "console", "forms", "headers", "links", "tokens"],
  ["audit", "capture", "console", "gate", "headers", "links"],
  [],
];
/** Each file and a part without which its tests pass, as `nameOfRun` has them. */
const passed = new Set<string>();
const nameOfRun = (file: string, part: string) => `${file} without ${part}`;

const copy = new ProjectCopy();
const { folder } = copy;
let units: Vitest;
let ended: TestModule[] = [];
beforeAll(async () => {
  // One for all: each would start a server, and read the configuration, for itself.
  units = await createVitest("test", {
    root: folder,
    project: "unit",
    watch: false,
    reporters: [{ onTestModuleEnd: (file) => void ended.push(file) }],
    // The other files of this run need the other cores.
    maxWorkers: 1,
    experimental: { fsModuleCache: true, fsModuleCachePath: join(folder, "modules") },
  });
}, 300_000);
afterAll(async () => {
  await units.close();
  copy.remove();
});

/** The tests by their name in `ROWS_IN`. */
const nameOf = (path: string) => path.replace(/^test\/|\.test\.ts$/g, "");

/** The files of tests that ran, and those in which some fail. */
async function test({ reached, touched }: Remains): Promise<{ ran: string[]; failed: string[] }> {
  for (const path of touched) units.invalidateFile(join(folder, path));
  const [project] = units.projects;
  ended = [];
  const { unhandledErrors } = await units.runTestSpecifications(
    reached.map((path) => project!.createSpecification(join(folder, path))),
  );
  expect(unhandledErrors).toEqual([]);
  const pathOf = ({ moduleId }: TestModule) => relative(folder, moduleId);
  return { ran: ended.map(pathOf), failed: ended.filter((file) => !file.ok()).map(pathOf).map(nameOf) };
}

/** Judges the types of files, and of what they import. */
async function judge(files: readonly string[]): Promise<void> {
  const config = {
    extends: "./tsconfig.json",
    compilerOptions: { noUnusedLocals: false, noUnusedParameters: false },
    include: ["**/*.d.ts"],
    files,
  };
  writeFileSync(join(folder, "judged.json"), JSON.stringify(config));
  await run(join(ROOT, "node_modules/.bin/tsc"), ["-p", join(folder, "judged.json")]);
}

it("looks at each part that there is", () => {
  const folders = readdirSync(join(ROOT, "src/parts"), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory()
  );
  expect(folders.map(({ name }) => name).sort()).toEqual(PARTS);
});

describe.each(KEPT.map((kept) => {
  const parts = PARTS.filter((part) => !kept.includes(part));
  return { about: kept.join(", ") || "no part", parts, rows: parts.flatMap((part) => ROWS_IN[part] ?? []) };
}))("with $about", { timeout: 300_000 }, ({ parts, rows }) => {
  let remains: Remains;
  beforeAll(() => {
    remains = copy.takeOut(parts);
  });

  it("nothing of the core and the wire is missed, types hold, and the library builds", async () => {
    expect(remains.gone.filter((path) => /^src\/(?:core|wire|client)\//.test(path))).toEqual([]);
    await judge(remains.changed);
    const { outputFiles: [library] } = await build({
      absWorkingDir: folder,
      entryPoints: ["src/index.ts"],
      bundle: true,
      format: "esm",
      platform: "neutral",
      packages: "external",
      write: false,
    });
    expect(library?.text).toContain("createProxy");
  });

  it("the tests of the core and of these parts pass", async () => {
    const { ran, failed } = await test(remains);
    expect(ran.toSorted()).toEqual(remains.reached.toSorted());
    expect(failed.filter((file) => file !== "parts/usual" && !rows.includes(file))).toEqual([]);
    const left = remains.tests.map(nameOf);
    // A file that no longer has such rows must go from the list.
    expect(rows.filter((file) => left.includes(file) && !failed.includes(file))).toEqual([]);
    for (const file of left.filter((file) => !failed.includes(file))) {
      for (const part of parts) passed.add(nameOfRun(file, part));
    }
  });
});

it("each test has passed without each part that it is not about", () => {
  const missing = PARTS.flatMap((part) => {
    const about = [...copy.findTestsOf(part).map(nameOf), ...ROWS_IN[part] ?? [], "parts/usual"];
    return copy.tests.map(nameOf).filter((file) => !about.includes(file)).map((file) =>
      nameOfRun(file, part)
    );
  });
  expect(missing.filter((run) => !passed.has(run))).toEqual([]);
});
