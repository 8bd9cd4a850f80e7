/**
 * The package as npm packs it, installed in an empty project.
 * @module
 */
import { execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT, type RuntimeName } from "./proxy.ts";

const run = promisify(execFile);
const { PATH = "", HOME = "", TMPDIR = tmpdir() } = process.env;
const ENVIRONMENT = { PATH, HOME, TMPDIR, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
const BUN = join(ROOT, "node_modules/.bin/bun");

/** The binary itself: its npm command is a shim that passes no signal on. */
export const DENO: string = createRequire(import.meta.url)("deno/install_api.cjs").runInstall();

/** The runtimes that run programs. */
export type ProgramRuntime = Exclude<RuntimeName, "worker">;

/** How each runtime runs a file. */
export const RUN: Record<ProgramRuntime, readonly [string, ...string[]]> = {
  node: [process.execPath],
  bun: [BUN, "run"],
  deno: [DENO, "run", "-A"],
};

/** How each runtime runs the command of an installed package. */
const COMMAND: Record<ProgramRuntime, readonly [string, ...string[]]> = {
  node: ["node_modules/.bin/fetchvia"],
  bun: [BUN, "x", "--bun", "fetchvia"],
  deno: [DENO, "run", "-A", "npm:fetchvia"],
};

/** A project with the package in it. */
export class Project {
  readonly folder: string;
  readonly tarball: string;

  private constructor(folder: string, tarball: string) {
    this.folder = folder;
    this.tarball = tarball;
  }

  /** Packs and installs; dependencies are those of this folder, so that no registry is asked. */
  static async create(): Promise<Project> {
    const folder = await mkdtemp(join(tmpdir(), "fetchvia-package-"));
    const quiet = ["--silent", "--no-audit", "--no-fund"];
    await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder, ...quiet], { cwd: ROOT });
    const { version, dependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
    const project = new Project(folder, join(folder, `fetchvia-${version}.tgz`));
    const here = Object.keys(dependencies).map((name) => [name, `file:${join(ROOT, "node_modules", name)}`]);
    const manifest = { name: "consumer", private: true, type: "module", overrides: Object.fromEntries(here) };
    await project.write("package.json", JSON.stringify(manifest));
    await run("npm", ["install", "--offline", ...quiet, project.tarball], { cwd: folder });
    return project;
  }

  /** Writes a file. */
  async write(name: string, text: string): Promise<void> {
    await writeFile(join(this.folder, name), text);
  }

  /** Runs a program to its end; gives what it wrote, whatever came of it. */
  async run(program: string, ...args: string[]): Promise<string> {
    const { stdout, stderr } = await run(program, args, { cwd: this.folder, env: ENVIRONMENT }).catch(
      (error) => error,
    );
    return (stdout + stderr).trim();
  }

  /** Runs the package's command to its end. */
  command(runtime: ProgramRuntime, ...args: string[]): Promise<string> {
    const [program, ...first] = COMMAND[runtime];
    return this.run(program, ...first, ...args);
  }

  /** Starts the package's command and waits until it listens; gives its address and a way to stop it. */
  async start(runtime: ProgramRuntime): Promise<{ origin: string; stop: () => Promise<void> }> {
    const [program, ...args] = COMMAND[runtime];
    const child = spawn(program, args, {
      cwd: this.folder,
      env: { ...ENVIRONMENT, PORT: "0", LOG: "off" },
      stdio: ["ignore", "ignore", "pipe"],
      detached: true,
    });
    const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
    let said = "";
    const origin = await new Promise<string>((resolve, reject) => {
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        const [, found] = /listening on (http:\S+)/.exec(said) ?? [];
        if (found) resolve(found);
      });
      void ended.then(() => reject(new Error(`Cannot start fetchvia: it ended, saying ${said}`)));
    });
    return {
      origin,
      async stop() {
        // `bunx` runs the command as a child of its own.
        process.kill(-child.pid!, "SIGTERM");
        await ended;
      },
    };
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
