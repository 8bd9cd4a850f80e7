/**
 * What `npm run release -- --dry-run` makes: all of it, the same bytes each time, and nothing of the machine that made it.
 * @module
 */
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import type { Bill } from "../../scripts/release/bill.ts";
import { ROOT } from "../support/proxy.ts";

const run = promisify(execFile);
const BUN = join(ROOT, "node_modules/.bin/bun");
/** Bun has its runtime for this machine; for others it asks the network. */
const OWN = `fetchvia-linux-${process.arch === "x64" ? "amd64" : process.arch}`;

let folder: string;
let said: string[];

async function release(name: string): Promise<string> {
  const out = join(folder, name);
  return (await run(BUN, ["scripts/release.ts", "--dry-run", "--out", out], { cwd: ROOT })).stderr;
}

function read(name: string, file: string): string {
  return readFileSync(join(folder, name, file), "utf8");
}

/** Each file of a run with its checksum. */
function sumsOf(name: string): Map<string, string> {
  const lines = read(name, "SHA256SUMS").trim().split("\n");
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fetchvia-two-releases-"));
  said = [await release("one"), await release("two")];
}, 240_000);
afterAll(() => rm(folder, { recursive: true }));

describe("a release", () => {
  it("is the same bytes when it is made again", () => {
    expect(sumsOf("two")).toEqual(sumsOf("one"));
    expect(sumsOf("one").size).toBeGreaterThan(500);
  });

  it("has checksums that are right", () => {
    const files = [...sumsOf("one")].map(([file]) => file);
    const measured = files.map((file) =>
      [file, createHash("sha256").update(readFileSync(join(folder, "one", file))).digest("hex")] as const
    );
    expect(new Map(measured)).toEqual(sumsOf("one"));
  });

  it("holds packages, the image's files, the bill of materials, and each program or the reason why not", () => {
    const wanted = [
      `fetchvia-${manifest.version}.tgz`,
      "jsr/deno.json",
      "jsr/src/index.ts",
      "jsr/src/parts/console/assets.ts",
      "Dockerfile",
      "Dockerfile.dockerignore",
      "compose.yaml",
      "fetchvia.service",
      "fetchvia.cdx.json",
      OWN,
    ];
    expect([...sumsOf("one").keys()]).toEqual(expect.arrayContaining(wanted));
    const others = ["linux-amd64", "linux-arm64", "macos-arm64"].map((machine) => `fetchvia-${machine}`);
    const lost = others.filter((file) =>
      !existsSync(join(folder, "one", file)) && !said[0]?.includes(`${file} is left out`)
    );
    expect(lost).toEqual([]);
  });

  it("has a package without scripts that its files cannot run", () => {
    const file = join(folder, "one", `fetchvia-${manifest.version}.tgz`);
    const text = execFileSync("tar", ["-xzOf", file, "package/package.json"], { encoding: "utf8" });
    const { scripts: _scripts, devDependencies: _tools, allowScripts: _allowed, ...packed } = manifest;
    expect(JSON.parse(text)).toEqual(packed);
  });

  it("bills what is shipped, nothing that only develops it, and no run of its own", () => {
    const bill = JSON.parse(read("one", "fetchvia.cdx.json")) as Bill;
    const names = bill.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["ipaddr.js", "itty-router", "fflate", "ioredis", "bun"]));
    expect(names).not.toContain("vitest");
    expect([bill.metadata.component.name, bill.metadata.timestamp, bill.serialNumber])
      .toEqual(["fetchvia", undefined, undefined]);
  });

  it("has an image that takes the program for its processor", () => {
    const text = read("one", "Dockerfile");
    expect(text).toContain("COPY --chmod=755 fetchvia-linux-$TARGETARCH /usr/local/bin/fetchvia\n");
    expect(text).toMatch(/^FROM gcr\.io\/distroless/m);
    expect(text).not.toContain("AS build");
    expect(read("one", "compose.yaml")).toContain("build: .\n");
  });
});
