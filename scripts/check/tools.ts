/**
 * The checks that other programs do: formatter, linters and the type checkers.
 * @module
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import jsr from "../../deno.json" with { type: "json" };

/** A program to run: it passes when it exits with 0. */
export interface Tool {
  name: string;
  about: string;
  command: readonly [program: string, ...args: string[]];
}

/** The result of a tool. */
export interface ToolResult {
  passed: boolean;
  /** Everything that it wrote. */
  output: string;
}

const DENO_ENTRY = "src/runtimes/deno.ts";

/** The tools for a project folder; `scratch` is a folder for the other files that they need. */
export async function listTools(root: string, scratch: string): Promise<Tool[]> {
  // The shim in node_modules/.bin works too; calling the binary itself saves a start of Node per tool.
  const deno: string = createRequire(join(root, "package.json"))("deno/install_api.cjs").runInstall();
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const core = join(scratch, "tsconfig.json");
  await writeFile(core, JSON.stringify(coreConfig(root)));
  const tools: Tool[] = [
    { name: "format", about: "deno fmt --check", command: [deno, "fmt", "--check"] },
    { name: "lint", about: "deno lint", command: [deno, "lint"] },
    {
      name: "doc-lint",
      about: "deno doc --lint over what is exported",
      command: [deno, "doc", "--lint", ...Object.values(jsr.exports)],
    },
    {
      name: "settings",
      about: "docs/settings.md and the type of the options show the settings",
      command: [process.execPath, "scripts/settings.ts", "--check"],
    },
    { name: "types", about: "tsc -p tsconfig.json", command: [tsc, "-p", "tsconfig.json"] },
    { name: "types-core", about: "tsc over the core with types: []", command: [tsc, "-p", core] },
  ];
  if (existsSync(join(root, DENO_ENTRY))) {
    const command = [deno, "check", "--no-remote", DENO_ENTRY] as const;
    tools.push({ name: "types-deno", about: `deno check ${DENO_ENTRY}`, command: [...command] });
    tools.push({
      name: "publish",
      about: "deno publish --dry-run",
      command: [deno, "publish", "--dry-run", "--allow-dirty"],
    });
  }
  return tools;
}

/** The project's own settings, with Web APIs as the only types available. */
function coreConfig(root: string): object {
  return {
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      types: [],
      typeRoots: [],
      lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
    },
    include: [join(root, "src")],
    exclude: ["wire", "runtimes", "command"].map((room) => join(root, "src", room)),
  };
}

/** Runs one tool in the project folder. A program that cannot be started counts as failed. */
export function runTool(root: string, { command: [program, ...args] }: Tool): Promise<ToolResult> {
  const env = { ...process.env, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", RUST_BACKTRACE: "0" };
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("error", (error) => resolve({ passed: false, output: error.message }));
    child.on("close", (code) => resolve({ passed: code === 0, output: Buffer.concat(chunks).toString() }));
  });
}

/** Runs `work` with a folder that is removed afterwards. */
export async function withScratch<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "fetchvia-check-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
