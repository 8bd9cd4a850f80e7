/**
 * The delete test: without any one of its parts the project has right types, builds, and passes the tests of the core and of the
 * other parts. Without all of them it is the core.
 * @module
 */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../support/proxy.ts";
import { ProjectCopy, type Remains } from "../support/without-parts.ts";

const run = promisify(execFile);

/** Files of the tests in which rows of a part stand beside those of the core. All else must pass without it. */
const ROWS_IN: Readonly<Record<string, readonly string[]>> = {
  audit: [],
  capture: ["core/address/reserved-paths", "core/pages/host"],
  console: ["core/address/reserved-paths", "core/pages/host"],
  explain: [],
  forms: ["core/exchange/read-path", "parts/explain/explain"],
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
afterAll(() => copy.remove());

/** The files of tests that ran, and those in which some fail. */
async function test({ reached }: Remains): Promise<{ ran: string[]; failed: string[] }> {
  const report = join(folder, "report.json");
  rmSync(report, { force: true });
  const asked = [
    "run",
    ...reached,
    "--project=unit",
    // Each process would load the sources for itself, and the other files of this run need the other cores.
    "--maxWorkers=1",
    "--experimental.fsModuleCache",
    `--experimental.fsModuleCachePath=${join(folder, "modules")}`,
    "--reporter=json",
    `--outputFile=${report}`,
  ];
  // It ends with 1 where a test fails; the report says which.
  await run(process.execPath, ["node_modules/vitest/vitest.mjs", ...asked], { cwd: folder }).catch(() => {});
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as {
    testResults: { name: string; status: string }[];
  };
  const nameOf = ({ name }: { name: string }) => relative(folder, name);
  const failed = testResults.filter(({ status }) => status === "failed").map((file) =>
    nameOf(file).replace(/^test\/|\.test\.ts$/g, "")
  );
  return { ran: testResults.map(nameOf), failed };
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
    // What no change reaches is not judged again without the next part.
    const compilerOptions = {
      noUnusedLocals: false,
      noUnusedParameters: false,
      incremental: true,
      tsBuildInfoFile: "changed.tsbuildinfo",
    };
    const config = {
      extends: "./tsconfig.json",
      compilerOptions,
      include: ["**/*.d.ts"],
      files: remains.changed,
    };
    writeFileSync(join(folder, "changed.json"), JSON.stringify(config));
    await run(join(ROOT, "node_modules/.bin/tsc"), ["-p", join(folder, "changed.json")]);
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
