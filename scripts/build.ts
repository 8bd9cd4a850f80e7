/**
 * `npm run build`: makes the console's page, and bundles what package.json exports into dist, with its types. An identical
 * dist is left alone; any other is replaced as a whole, so that nobody ever starts from a half-written one. With a folder
 * as its argument, writes the files there instead.
 * @module
 */
import { build, type BuildFailure, formatMessages, type Metafile } from "esbuild";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import manifest from "../package.json" with { type: "json" };
import { formatTableSchema } from "./settings/schema.ts";
import { writeAssets } from "./console.ts";
import { declareTypes } from "./build/declarations.ts";
import { keepWhole } from "./build/keep-whole.ts";

const ROOT = resolve(import.meta.dirname, "..");
const DIST = join(ROOT, "dist");
/** Where the files are written. */
const OUT = resolve(process.argv[2] ?? DIST);
const COMMAND = manifest.bin.fetchvia.replace("./dist/", "");
const HASHBANG = "#!/usr/bin/env node\n";
const EXPORTS = Object.values(manifest.exports).map(({ default: path }) => sourceOf(path));
const ENTRIES = [...EXPORTS, sourceOf(manifest.bin.fetchvia)];
const WORKER = "runtimes/worker.js";
/** The modules of the Worker, for workerd's configuration: it knows no other files. */
const WORKER_MODULES = "worker.capnp";

/**
 * The packages that are bundled into dist, with their licences: the core can be loaded without an installation, and Node
 * would need 20 ms at its start to scan the first, which is CommonJS.
 */
const BUNDLED = ["ipaddr.js", "itty-router"];
/** The packages within the scripts of the console. */
const IN_PAGE = ["fflate", "preact"];

/** A package that need not be installed, and what keeps bundlers from asking for it: esbuild drops comments with the blanks. */
const OPTIONAL = "ioredis";
const LEFT_ALONE = "/* webpackIgnore: true */ /* turbopackIgnore: true */ ";

/** The JSON Schema that editors read for `$schema` of a table of targets. */
const SCHEMA = "targets.schema.json";

/** Path in dist → content. */
type Files = Map<string, string>;

function sourceOf(path: string): string {
  return path.replace(/^\.\/dist\/(.+)\.js$/, "src/$1.ts");
}

/**
 * One build for all entries: chunks are shared, so `ProxyError` of `fetchvia` and of `fetchvia/node` is one class.
 * `neutral` with external packages leaves `node:*` and `bun` as they are, just as `node` would.
 */
async function bundle(): Promise<Files> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ENTRIES,
    outbase: "src",
    outdir: DIST,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    target: ["es2022", "node20"],
    packages: "external",
    alias: Object.fromEntries(BUNDLED.map((name) => [name, fileURLToPath(import.meta.resolve(name))])),
    loader: { ".html": "text", ".css": "text" },
    // Without blanks, but with all names: the stack of a failure can be read.
    minifyWhitespace: true,
    minifySyntax: true,
    plugins: [keepWhole(join(ROOT, "src"), EXPORTS.map((path) => path.slice("src/".length)))],
    logLevel: "silent",
    metafile: true,
    write: false,
  });
  const files: Files = new Map(outputFiles.map(({ path, text }) => [
    relative(DIST, path).replaceAll("\\", "/"),
    text.replaceAll(`import("${OPTIONAL}")`, `import(${LEFT_ALONE}"${OPTIONAL}")`),
  ]));
  return files.set(WORKER_MODULES, listModules(metafile));
}

/** Writes the Worker's module, and all that it imports, as a list of workerd's. */
function listModules({ outputs }: Metafile): string {
  const modules = new Set([`dist/${WORKER}`]);
  for (const path of modules) {
    for (const { path: imported, external } of outputs[path]!.imports) {
      if (external) {
        throw new Error(`The Worker imports ${imported}, expected no package: a platform has none`);
      }
      modules.add(imported);
    }
  }
  const rows = [...modules].map((path) => path.slice("dist/".length))
    .map((name) => `(name = "${name}", esModule = embed "${name}")`);
  const type = 'List((import "/workerd/workerd.capnp").Worker.Module)';
  return `const modules :${type} = [\n  ${rows.join(",\n  ")},\n];\n`;
}

/** Adds the hashbang here, because esbuild's own banner would go into every file. */
function addHashbang(files: Files): void {
  const code = files.get(COMMAND);
  if (code === undefined || code.startsWith("#!")) return;
  files.set(COMMAND, HASHBANG + code);
}

async function isWritten(files: Files): Promise<boolean> {
  const found = await readdir(OUT, { recursive: true, withFileTypes: true }).catch(() => []);
  if (found.filter((entry) => entry.isFile()).length !== files.size) return false;
  const same = [...files].map(async ([path, text]) =>
    text === await readFile(join(OUT, path), "utf8").catch(() => undefined)
  );
  return (await Promise.all(same)).every(Boolean);
}

/** Writes a new folder beside the old one and renames both; removes the old one once the new one has its place. */
async function replaceOut(files: Files): Promise<void> {
  const scratch = await mkdtemp(join(dirname(OUT), ".dist-"));
  try {
    const next = join(scratch, "next");
    for (const [path, text] of files) {
      await mkdir(dirname(join(next, path)), { recursive: true });
      await writeFile(join(next, path), text);
    }
    if (files.has(COMMAND)) await chmod(join(next, COMMAND), 0o755);
    if (existsSync(OUT)) await rename(OUT, join(scratch, "before"));
    await rename(next, OUT).catch(async (error) => {
      // A parallel build was faster; the same sources make the same files.
      if (!await isWritten(files)) throw error;
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function describeFiles(files: Files): string {
  const code = [...files].filter(([path]) => path.endsWith(".js"));
  const sizeOf = (texts: readonly string[]) =>
    `${(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1024).toFixed(1)} kB`;
  const entries = code.filter(([path]) => ENTRIES.includes(`src/${path.replace(/\.js$/, ".ts")}`));
  const parts = entries.map(([path, text]) => `${path} ${sizeOf([text])}`);
  const chunks = code.filter((file) => !entries.includes(file)).map(([, text]) => text);
  if (chunks.length > 0) parts.push(`${chunks.length} chunks ${sizeOf(chunks)}`);
  return `dist ${sizeOf(code.map(([, text]) => text))}: ${parts.join(", ")}`;
}

/** The licence of a bundled package, which must come with it. */
async function readLicense(name: string): Promise<[path: string, text: string]> {
  return [`${name}.license.txt`, await readFile(join(ROOT, "node_modules", name, "LICENSE"), "utf8")];
}

async function explain(error: unknown): Promise<string> {
  const { errors } = error as Partial<BuildFailure>;
  if (errors) return (await formatMessages(errors, { kind: "error" })).join("").trimEnd();
  return error instanceof Error ? error.message : String(error);
}

const started = performance.now();
try {
  await writeAssets();
  const [code, types] = await Promise.all([bundle(), declareTypes(ROOT, EXPORTS)]);
  addHashbang(code);
  const licenses = await Promise.all([...BUNDLED, ...IN_PAGE].map(readLicense));
  const files = new Map([...code, ...types, [SCHEMA, formatTableSchema()], ...licenses]);
  const unchanged = await isWritten(files);
  if (!unchanged) await replaceOut(files);
  const state = unchanged ? "unchanged" : "written";
  console.log(`${describeFiles(files)} (${state}, ${Math.round(performance.now() - started)} ms)`);
} catch (error) {
  console.error(await explain(error));
  process.exitCode = 1;
}
