/**
 * `npm run start:node`: the proxy on Node, built anew only where something that goes into the build has changed. JavaScript,
 * because Node 20 runs no TypeScript, and one process, so that signals and flags need nobody to hand them on.
 * @module
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MAIN = "dist/command/main.js";
/** What went into the last build. It lies beside `dist`, which holds nothing but what is built. */
const STAMP = join(ROOT, ".dist-stamp");
/** What the build makes there itself. */
const MADE = "src/parts/console/assets.ts";
const SOURCES = [
  "src",
  "scripts/build",
  "scripts/build.ts",
  "scripts/console.ts",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
];

/**
 * Names, sizes and times of these files: one that is older, and one that is gone, is a change too.
 *
 * @param {readonly string[]} paths from the root
 */
function fingerprint(paths) {
  const hash = createHash("sha256");
  for (const path of paths.flatMap(listFiles).filter((path) => path !== MADE)) {
    const { size, mtimeMs } = statSync(join(ROOT, path));
    hash.update(`${path}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest("hex");
}

/**
 * The file, or all in the folder.
 *
 * @param {string} path from the root
 * @returns {string[]}
 */
function listFiles(path) {
  const found = statSync(join(ROOT, path), { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [path] : [];
  return readdirSync(join(ROOT, path)).sort().flatMap((name) => listFiles(`${path}/${name}`));
}

/** @param {string} sources what goes in */
function isBuilt(sources) {
  if (!existsSync(join(ROOT, MAIN)) || !existsSync(STAMP)) return false;
  return readFileSync(STAMP, "utf8") === sources + fingerprint([MAIN]);
}

/**
 * Builds; what is said of it goes to stderr.
 *
 * @param {string} sources what goes in; what changes meanwhile is for the next time
 */
function build(sources) {
  const bun = join(ROOT, "node_modules/.bin/bun");
  const { status, error } = spawnSync(bun, ["scripts/build.ts"], { cwd: ROOT, stdio: ["ignore", 2, 2] });
  if (error) console.error(`Cannot build: ${error.message}, expected npm ci to have run`);
  if (status !== 0) process.exit(status ?? 1);
  try {
    writeFileSync(STAMP, sources + fingerprint([MAIN]));
  } catch {
    // Where nothing can be written it is built the next time too.
  }
}

const sources = fingerprint(SOURCES);
if (!isBuilt(sources)) build(sources);
// Processes that it starts run the program itself.
process.argv[1] = join(ROOT, MAIN);
await import(pathToFileURL(process.argv[1]).href);
