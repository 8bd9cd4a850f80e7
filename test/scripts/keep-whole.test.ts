/** What the build loads together, and what it must not. */
import { build } from "esbuild";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { findPieces, keepWhole } from "../../scripts/build/keep-whole.ts";

/** Two pieces share one file of the core each: by itself esbuild cuts the core into three. */
const FILES = {
  "index.ts":
    'export * from "./a.ts"; export * from "./b.ts"; export const load = () => [import("./one.ts"), import("./two.ts")];',
  "a.ts": "export const a = Math.random();",
  "b.ts": "export const b = Math.random();",
  "one.ts": 'import { a } from "./a.ts"; export const one = a;',
  "two.ts":
    'import { b } from "./b.ts"; type T = typeof import("./a.ts"); export const two = (t: T) => [t, b];',
  "runtimes/node.ts": 'import { x } from "./process/x.ts"; export * from "../index.ts"; console.log(x);',
  "runtimes/process/x.ts": "export const x = Math.random();",
  "runtimes/process/y.ts": "export const y = 1; console.log(y);",
};

async function write(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "fetchvia-build-"));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

async function bundle(root: string, isWhole: boolean): Promise<number> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ["index.ts", "runtimes/node.ts"],
    bundle: true,
    splitting: true,
    format: "esm",
    outdir: "out",
    write: false,
    plugins: isWhole ? [keepWhole(root, ["runtimes/node.ts"])] : [],
  });
  return outputFiles.length;
}

it("finds what is loaded by import(), not what is named by a type", async () =>
  expect([...findPieces(await write())]).toEqual(["one.ts", "two.ts"]));

it("keeps the core in one file, whoever shares a part of it", async () => {
  const root = await write();
  // Two entries, two pieces, and the core; without it a and b are files of their own.
  expect([await bundle(root, true), await bundle(root, false)]).toEqual([5, 7]);
});
