/**
 * The packages of others that only `npm run test:all` needs: a manifest and a lock file of their own, in `test/apps`, and one of
 * each suite in `test/suites`.
 * @module
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, statSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ROOT } from "./proxy.ts";

/** Where they are installed. */
export const APPS: string = join(ROOT, "test/apps");

/** Where the packages of a suite are. */
export const packagesOf = (suite: string): string => join(ROOT, "test/suites", suite, "node_modules");

/** Finds a file of one of them. */
export const { resolve: resolveApp } = createRequire(join(APPS, "package.json"));

/** Global setup of `npm run test:all`: installs what the lock files say, unless that is there; a failure fails the run. */
export default async function setup(): Promise<void> {
  const suites = ["http-cache-tests", "mcp-conformance"].map((name) => dirname(packagesOf(name)));
  await Promise.all([APPS, ...suites].map(install));
}

async function install(folder: string): Promise<void> {
  const [wanted, installed] = ["package-lock.json", "node_modules/.package-lock.json"].map((name) =>
    statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
  );
  if (installed! > wanted!) return;
  const command = ["ci", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"];
  const npm = spawn("npm", command, { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] });
  const [code] = await once(npm, "close");
  if (code !== 0) throw new Error(`Cannot install ${folder}: npm ended with ${code}, expected 0`);
}

/** A folder in which examples find them by their names, and `fetchvia` by its own name. */
export function makeAppFolder(): string {
  const folder = mkdtempSync(join(ROOT, ".examples-"));
  symlinkSync(join(APPS, "node_modules"), join(folder, "node_modules"));
  return folder;
}
