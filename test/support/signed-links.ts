/**
 * What `docs/signed-links.md` shows: its vectors, and its programs, which must write links that the proxy takes.
 * @module
 */
import { decodePercent } from "../../src/core/http/text.ts";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { readParameter, readQuery } from "../../src/core/address/query.ts";
import { verifyLink } from "../../src/parts/links/signed-link.ts";
import { ROOT } from "./proxy.ts";

const run = promisify(execFile);
const KEY = "test-key";
const SHOWN = "https://example.com/";
/** All that languages encode in different ways. */
const ODD = "https://example.com/a b/~_.-!*(ü)?q='1'&x=a+b%20c";
const NOW = 2_000_000_000;
/** The first compilation of a machine takes its time. */
const PATIENCE_MS = 120_000;

/** A row of the table of vectors. */
export interface Vector {
  key: string;
  path: string;
  signature: string;
}

/** How a block of the page is run. */
export interface Language {
  /** The word behind the fence. */
  fence: string;
  file: string;
  command: readonly [string, ...string[]];
  /** How the address stands in the block; as it is by default. */
  write?: (target: string) => string;
}

async function readPage(): Promise<string> {
  return await readFile(join(ROOT, "docs/signed-links.md"), "utf8");
}

/** The vectors of the page. */
export async function readVectors(): Promise<Vector[]> {
  return [...(await readPage()).matchAll(/^\| `(.+)` \| `(\/.+)` \| `([\w-]+)` \|$/gm)]
    .map(([, key = "", path = "", signature = ""]) => ({ key, path, signature }));
}

/** The last block of a language: what stands before shows the command. */
async function readProgram(fence: string): Promise<string> {
  const blocks = [...(await readPage()).matchAll(new RegExp("^```" + fence + "\n(.*?)^```", "gms"))];
  return blocks.at(-1)?.[1] ?? "";
}

async function runProgram({ file, command: [name, ...args] }: Language, code: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fetchvia-"));
  await writeFile(join(folder, file), code);
  const { PATH = "" } = process.env;
  // Go: no module, no network, and nothing left behind.
  const env = {
    PATH,
    HOME: folder,
    SIGNING_KEY: KEY,
    GO111MODULE: "off",
    GOFLAGS: "-count=1",
    LC_ALL: "C.UTF-8",
  };
  const { stdout } = await run(name, [...args, file], { cwd: folder, env });
  await rm(folder, { recursive: true, force: true });
  return stdout;
}

/** Declares the tests of one language. */
export function describeProgram(name: string, language: Language): void {
  const write = language.write ?? ((target: string) => target);

  describe(`${name} signs as docs/signed-links.md shows`, () => {
    it("the vector", async () => {
      const [vector] = await readVectors();
      const written = await runProgram(language, await readProgram(language.fence));
      expect(written).toBe(`${vector?.path}&sig=${vector?.signature}\n`);
    }, PATIENCE_MS);

    it("an address with all that languages encode in different ways", async () => {
      const odd = (await readProgram(language.fence)).replace(write(SHOWN), write(ODD));
      const path = (await runProgram(language, odd)).trim();
      expect(decodePercent(readParameter(readQuery(path), "url") ?? "")).toBe(ODD);
      expect(await verifyLink(path, KEY, NOW)).toBe("valid");
    }, PATIENCE_MS);
  });
}
