/**
 * The delete test: without any one of its parts the project has right types, builds, and passes the tests of the core and of the
 * other parts. Without all of them it is the core.
 * @module
 */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { isDeepStrictEqual, promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createVitest, type TestModule, type Vitest } from "vitest/node";
import { ROOT } from "../support/proxy.ts";
import { MENUS, ProjectCopy, type Remains } from "../support/without-parts.ts";

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
/** Without tokens and links, nothing of a signing key asks for a token. */
const ROWS_OF_ALL = ["core/may/token-duty", ...Object.values(ROWS_IN).flat()];

const copy = new ProjectCopy();
const { folder } = copy;
let units: Vitest;
let ended: TestModule[] = [];
let whole: string[];
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
  whole = await declare(MENUS);
}, 300_000);
afterAll(async () => {
  await units.close();
  copy.remove();
});

/** The files of tests that ran, and those in which some fail. */
async function test({ reached, touched }: Remains): Promise<{ ran: string[]; failed: string[] }> {
  for (const path of touched) units.invalidateFile(join(folder, path));
  const [project] = units.projects;
  ended = [];
  const { unhandledErrors } = await units.runTestSpecifications(
    reached.map((path) => project!.createSpecification(join(folder, path))),
  );
  expect(unhandledErrors).toEqual([]);
  const nameOf = ({ moduleId }: TestModule) => relative(folder, moduleId);
  const failed = ended.filter((file) => !file.ok()).map((file) =>
    nameOf(file).replace(/^test\/|\.test\.ts$/g, "")
  );
  return { ran: ended.map(nameOf), failed };
}

/** Judges the types of files, and of what they import. */
async function judge(files: readonly string[], compilerOptions: object): Promise<void> {
  const config = {
    extends: "./tsconfig.json",
    compilerOptions: { noUnusedLocals: false, noUnusedParameters: false, ...compilerOptions },
    include: ["**/*.d.ts"],
    files,
  };
  writeFileSync(join(folder, "judged.json"), JSON.stringify(config));
  await run(join(ROOT, "node_modules/.bin/tsc"), ["-p", join(folder, "judged.json")]);
}

/** Judges the types of the files that put parts together, and gives what the others see of these types. */
async function declare(menus: readonly string[]): Promise<string[]> {
  const outDir = join(folder, "declared");
  await judge(menus, { noEmit: false, declaration: true, emitDeclarationOnly: true, rootDir: ".", outDir });
  return menus.map((path) => readFileSync(join(outDir, path.replace(/ts$/, "d.ts")), "utf8"));
}

it("looks at each part that there is", () => {
  const folders = readdirSync(join(ROOT, "src/parts"), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory()
  );
  expect(folders.map(({ name }) => name).sort()).toEqual(PARTS);
});

describe.each([
  ...PARTS.map((part) => ({ about: part, parts: [part], rows: ROWS_IN[part] ?? [] })),
  { about: "any part", parts: PARTS, rows: ROWS_OF_ALL },
])("without $about", { timeout: 300_000 }, ({ parts, rows }) => {
  let remains: Remains;
  beforeAll(() => {
    remains = copy.takeOut(parts);
  });

  it("nothing of the core and the wire goes with it, types hold, and the library builds", async () => {
    expect(remains.gone.filter((path) => /^src\/(?:core|wire|client)\//.test(path))).toEqual([]);
    const declared = await declare(MENUS);
    // Where no type differs that a file imports, the file's own are as `npm run check` has judged them.
    await (isDeepStrictEqual(declared, whole) || judge(remains.changed, {}));
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

  it("the tests of the core and the other parts pass", async () => {
    const { ran, failed } = await test(remains);
    expect(ran.toSorted()).toEqual(remains.reached.toSorted());
    expect(failed.filter((file) => file !== "parts/usual" && !rows.includes(file))).toEqual([]);
    // A file that no longer has such rows must go from the list. Without any part, some files are gone themselves.
    expect(parts.length > 1 ? [] : rows.filter((file) => !failed.includes(file))).toEqual([]);
  });
});
