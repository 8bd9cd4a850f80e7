/**
 * `npm run release -- --dry-run`: makes everything that a release consists of in `release/` (`--out <folder>`): the packages
 * for npm and JSR, the executable files, the files of the image, the bill of materials and the checksums. The same sources
 * make the same bytes.
 *
 * Without `--dry-run` it first wants a clean tree whose commit has the tag of the version, and ends with the commands that
 * publish what it made. It never publishes anything itself.
 * @module
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import jsr from "../deno.json" with { type: "json" };
import manifest from "../package.json" with { type: "json" };
import { packPackage } from "./check/package.ts";
import { compile } from "./compile.ts";
import { writeAssets } from "./console.ts";
import { type Bill, trimBill } from "./release/bill.ts";

const ROOT = resolve(import.meta.dirname, "..");
const DEPLOY = join(ROOT, "scripts/deploy");
const { name: NAME, version: VERSION } = manifest;
/** The executable files, and Bun's name of the machine that each is for. Docker names processors like that. */
const PROGRAMS = [
  ["linux-amd64", "bun-linux-x64"],
  ["linux-arm64", "bun-linux-arm64"],
  ["macos-arm64", "bun-darwin-arm64"],
] as const;

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd: ROOT, encoding: "utf8", maxBuffer: 2 ** 26 });
}

/** Stops a release whose files nobody could find again. */
function checkTree(): void {
  if (run("git", "status", "--porcelain")) {
    throw new Error("Cannot release: the tree has changes, expected none");
  }
  const tags = run("git", "tag", "--points-at", "HEAD").split("\n");
  if (!tags.includes(`v${VERSION}`)) throw new Error(`Cannot release: HEAD has no tag v${VERSION}`);
}

async function packForNpm(out: string): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), "fetchvia-release-"));
  try {
    const packed = await packPackage(ROOT, scratch);
    if (typeof packed !== "string") throw new Error(packed.output);
    await copyFile(packed, join(out, `${NAME}-${VERSION}.tgz`));
  } finally {
    await rm(scratch, { recursive: true });
  }
}

/** The folder from which `deno publish` publishes; it reads the versions of the dependencies in package.json. */
async function packForJsr(out: string): Promise<void> {
  const images = join(ROOT, "docs/images");
  for (const path of [...jsr.publish.include, "package.json"]) {
    await cp(join(ROOT, path), join(out, "jsr", path), {
      recursive: true,
      filter: (source) => source !== images,
    });
  }
}

/** Compiles for each machine; gives those for which Bun has no runtime here, such as without a network. */
async function compileAll(out: string): Promise<string[]> {
  const missing: string[] = [];
  for (const [machine, target] of PROGRAMS) {
    await compile(join(out, `${NAME}-${machine}`), target).catch((error: unknown) => {
      console.error(`${NAME}-${machine} is left out: ${error instanceof Error ? error.message : error}`);
      missing.push(machine);
    });
  }
  return missing;
}

/** The image takes the file that is compiled already, in place of compiling one. */
async function writeDeployment(out: string): Promise<void> {
  const text = await readFile(join(DEPLOY, "Dockerfile"), "utf8");
  const [, base = ""] = text.split(/^(?=FROM (?!.* AS build$))/m);
  const [before = "", after = ""] = base.split(/^COPY --from=build .*$/m);
  const copy = `ARG TARGETARCH\nCOPY --chmod=755 ${NAME}-linux-$TARGETARCH /usr/local/bin/fetchvia`;
  const head =
    "# Build beside the executable files: docker buildx build --platform linux/amd64,linux/arm64 .\n";
  await writeFile(join(out, "Dockerfile"), head + before + copy + after);
  await writeFile(join(out, "Dockerfile.dockerignore"), `*\n!${NAME}-linux-*\n`);
  const compose = await readFile(join(DEPLOY, "compose.yaml"), "utf8");
  await writeFile(join(out, "compose.yaml"), compose.replace(/build: .*/, "build: .").replace(/ -f \S+/, ""));
  await copyFile(join(DEPLOY, "fetchvia.service"), join(out, "fetchvia.service"));
}

async function writeBill(out: string): Promise<void> {
  const bill = JSON.parse(run("npm", "sbom", "--sbom-format", "cyclonedx", "--package-lock-only")) as Bill;
  await writeFile(join(out, `${NAME}.cdx.json`), `${JSON.stringify(trimBill(bill, NAME), null, 2)}\n`);
}

/** The checksums of all files, as `sha256sum --check` reads them. */
async function writeSums(out: string): Promise<string[]> {
  const entries = await readdir(out, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) =>
    relative(out, join(entry.parentPath, entry.name)).replaceAll("\\", "/")
  ).sort();
  const sums = files.map(async (file) =>
    `${createHash("sha256").update(await readFile(join(out, file))).digest("hex")}  ${file}`
  );
  await writeFile(join(out, "SHA256SUMS"), `${(await Promise.all(sums)).join("\n")}\n`);
  return files;
}

function describePublishing(out: string): string {
  return `Publish with
  npm publish ${join(out, `${NAME}-${VERSION}.tgz`)} --access public
  (cd ${join(out, "jsr")} && npm install --ignore-scripts --omit dev && deno publish --no-check --allow-dirty)
  docker buildx build --push --platform linux/amd64,linux/arm64 -t <registry>/${NAME}:${VERSION} ${out}
  gh release create v${VERSION} --notes-file CHANGELOG.md ${out}/SHA256SUMS ${out}/${NAME}*`;
}

/** Makes the folder anew. One that holds anything else than an earlier release is left alone. */
async function clear(out: string): Promise<void> {
  const files = await readdir(out).catch((): string[] => []);
  if (files.length > 0 && !files.includes("SHA256SUMS")) {
    throw new Error(`Cannot write to ${out}: it is no release, expected a folder that is empty or missing`);
  }
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
}

async function release(out: string, isDry: boolean): Promise<void> {
  if (!isDry) checkTree();
  await clear(out);
  await writeAssets();
  await Promise.all([packForNpm(out), packForJsr(out), writeDeployment(out), writeBill(out)]);
  const missing = await compileAll(out);
  const files = await writeSums(out);
  console.log(files.filter((file) => !file.startsWith("jsr/")).concat("jsr/", "SHA256SUMS").join("\n"));
  if (isDry) return;
  if (missing.length > 0) throw new Error(`Cannot release: ${missing.join(", ")} could not be compiled`);
  console.log(describePublishing(out));
}

try {
  const { values } = parseArgs({ options: { "dry-run": { type: "boolean" }, out: { type: "string" } } });
  await release(resolve(values.out || join(ROOT, "release")), values["dry-run"] === true);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
