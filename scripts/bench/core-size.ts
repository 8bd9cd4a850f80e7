/**
 * How large the core is when it is bundled, as for an edge runtime: the code that loads with it. Code that loads only on
 * demand, by `import()`, is counted separately.
 * @module
 */
import { join } from "node:path";
import { build, type Metafile } from "esbuild";
import { keepWhole } from "../build/keep-whole.ts";
import { ROOT } from "./peers.ts";

/** What `fetchvia` and `fetchvia/core` are made of. */
export type CoreEntry = "src/index.ts" | "src/core/index.ts";

/** The sizes of the core, minified, in bytes. */
export interface CoreSize {
  /** Code that loads at once: the entry, and its static imports. */
  eager: number;
  /** Code that loads on demand. */
  later: number;
  /** The source files of both, without those of packages. */
  eagerFiles: readonly string[];
  laterFiles: readonly string[];
}

/** Bytes that load with the core, without the console; with or without the packages that it imports. */
export async function measureCore(packages: "external" | "bundle"): Promise<number> {
  return (await sizeCore(packages)).eager;
}

/** The sizes of the core as esbuild minifies it, without the console's assets. */
export async function sizeCore(
  packages: "external" | "bundle" = "external",
  entry: CoreEntry = "src/index.ts",
): Promise<CoreSize> {
  const { metafile: { outputs } } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    packages,
    external: ["./assets.ts"],
    outdir: "dist",
    plugins: [keepWhole(join(ROOT, "src"))],
    metafile: true,
    logLevel: "silent",
    write: false,
  });
  const eager = findEager(outputs, entry);
  const later = Object.keys(outputs).filter((path) => !eager.has(path));
  const sum = (paths: Iterable<string>) =>
    [...paths].reduce((total, path) => total + (outputs[path]?.bytes ?? 0), 0);
  const filesOf = (paths: Iterable<string>) =>
    [...paths].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {})).filter((path) =>
      path.startsWith("src/")
    );
  return { eager: sum(eager), later: sum(later), eagerFiles: filesOf(eager), laterFiles: filesOf(later) };
}

/** The file of the entry, and all files that it reaches by static imports. */
function findEager(outputs: Metafile["outputs"], entry: CoreEntry): Set<string> {
  const found = new Set(Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === entry));
  for (const path of found) {
    for (const { path: next, kind, external } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement" && !external) found.add(next);
    }
  }
  return found;
}
