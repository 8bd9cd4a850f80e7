/**
 * A recipe of `docs/recipes`, run as its reader would: its proxies, its programs, and what its other blocks write.
 * @module
 */
import { randomBytes } from "node:crypto";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeAppFolder } from "./apps.ts";
import { call } from "./client.ts";
import { ROOT } from "./proxy.ts";
import { waitUntil } from "./wait.ts";

const run = promisify(execFile);

/** A code block, and the text block after it. */
export interface Step {
  language: string;
  /** The file that holds a program which keeps running; `undefined` for what is run to its end. */
  file: string | undefined;
  code: string;
  expected: string | undefined;
}

/** The port of the proxy and those of the programs, in the order of the recipe. */
export interface Ports {
  proxy: number;
  programs: number[];
}

/**
 * Reads the steps of a recipe.
 *
 * @param here what this machine has in place of what the recipe shows
 */
export async function readSteps(recipe: string, here: ReadonlyMap<string, string>): Promise<Step[]> {
  const text = await readFile(`${ROOT}/docs/recipes/${recipe}.md`, "utf8");
  // In one pass, so that nothing is replaced twice; the longest first.
  const shown = [...here.keys()].sort((one, other) => other.length - one.length);
  const pattern = new RegExp(shown.map((name) => name.replaceAll(".", "\\.")).join("|"), "g");
  const replaced = text.replace(pattern, (name) => here.get(name)!);
  return [...replaced.matchAll(/^```(sh|js)(?: (\S+))?\n(.*?)^```(?:\n\n```text\n(.*?)^```)?/gms)]
    .map(([, language = "", file, code = "", expected]) => ({ language, file, code, expected }));
}

/** One run of a recipe: its folder, its environment, and what it starts. */
export class RecipeRun {
  readonly folder: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #ports: Ports;
  readonly #programs: ChildProcess[] = [];
  #proxy: ChildProcess | undefined;

  private constructor(folder: string, ports: Ports) {
    this.folder = folder;
    this.#ports = ports;
    this.#environment = { PATH: `${folder}:${process.env["PATH"]}`, HOME: folder, LOG: "off" };
  }

  static async create(ports: Ports): Promise<RecipeRun> {
    const folder = makeAppFolder();
    // `npx fetchvia` is the built command, and `fetchvia/client` the built module.
    const npx = `#!/bin/sh\nshift\nexec "${process.execPath}" "${ROOT}/dist/command/main.js" "$@"\n`;
    await writeFile(join(folder, "npx"), npx);
    await chmod(join(folder, "npx"), 0o755);
    return new RecipeRun(folder, ports);
  }

  /** Does a step; gives what it writes, `undefined` where it starts a proxy or a program. */
  async do(step: Step): Promise<string | undefined> {
    const { language, file, code } = step;
    if (/^npx fetchvia(?! (?:en|de)code)/m.test(code)) return await this.#startProxy(code);
    if (file !== undefined) return await this.#startProgram(file, code);
    const [program, ...args] = language === "js"
      ? [process.execPath, "--input-type=module", "-e", code] as const
      : ["bash", "-c", code] as const;
    return (await run(program, args, { cwd: this.folder, env: this.#environment })).stdout.trim();
  }

  async remove(): Promise<void> {
    for (const child of this.#programs) child.kill("SIGKILL");
    this.#proxy?.kill("SIGKILL");
    await rm(this.folder, { recursive: true });
  }

  /** Starts a proxy in place of the one before. */
  async #startProxy(written: string): Promise<undefined> {
    await this.#stopProxy();
    // Later steps of the recipe have the same key.
    const code = written.replaceAll("$(openssl rand -hex 32)", randomBytes(32).toString("hex"));
    const exports = [...code.matchAll(/^export (.*)/gm)].flatMap(([, line = ""]) =>
      [...line.matchAll(/(\w+)=([\w-]+)/g)].map(([, name = "", value = ""]) => [name, value])
    );
    Object.assign(this.#environment, Object.fromEntries(exports));
    // `exec`, so that what is killed in the end is the proxy.
    const script = code.replace(/^npx/m, "exec npx");
    this.#proxy = spawn("bash", ["-ec", script], {
      cwd: this.folder,
      env: this.#environment,
      stdio: "ignore",
    });
    const tls = code.includes("--tls-cert");
    const isUp = () =>
      call(this.#ports.proxy, "GET /__proxy__/health", { tls })
        .then((answer) => answer.status === 200, () => false);
    await waitUntil(isUp);
  }

  async #stopProxy(): Promise<void> {
    if (!this.#proxy) return;
    this.#proxy.kill("SIGKILL");
    await once(this.#proxy, "exit");
  }

  async #startProgram(file: string, code: string): Promise<undefined> {
    const port = this.#ports.programs[this.#programs.length]!;
    await writeFile(join(this.folder, file), code);
    const options = { cwd: this.folder, env: this.#environment, stdio: "ignore" } as const;
    this.#programs.push(spawn(process.execPath, [file], options));
    await waitUntil(() => isOpen(port));
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
