/**
 * The examples of the pages about servers, run as they stand, for a target of ours.
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { transformSync } from "esbuild";
import { type Bundler, nextEnvironment, PATIENCE_MS } from "../apps/next.ts";
import { serveNext, writeNext, writeRoute } from "../apps/next.ts";
import { makeAppFolder } from "./apps.ts";
import { type Answer, call, type CallOptions } from "./client.ts";
import { freePort } from "./free-port.ts";
import { DENO, type ProgramRuntime, RUN } from "./package.ts";
import { ROOT } from "./proxy.ts";
import type { Upstream } from "./upstream.ts";

/** A block of TypeScript: its heading, what it is for, its code. */
export interface Block {
  title: string;
  /** A runtime, or the file that it is. */
  place: string;
  code: string;
}

/** An example that runs. */
export interface Example extends Omit<Block, "place"> {
  /** `serve` for `deno serve`, `route` for a route handler of Next.js, `server` for a server that starts Next.js. */
  runtime: ProgramRuntime | "serve" | "route" | "server";
  /** For Next.js; webpack by default. */
  bundler?: Bundler;
  /** For Next.js: `next build` and `next start`, in place of its development server. */
  built?: boolean;
}

/** The pages with examples. */
const PAGES = ["docs/embedding.md", "docs/frameworks.md", "docs/full-stack.md", "docs/dev-servers.md"];

/** All of the pages, in their order. */
export function readBlocks(): Block[] {
  return PAGES.flatMap((page) => readFileSync(join(ROOT, page), "utf8").split(/^## /m)).flatMap((section) => {
    const [title = ""] = section.split("\n", 1);
    const blocks = [...section.matchAll(/^```ts (\S+)\n(.*?)^```/gms)];
    return blocks.map(([, place = "", code = ""]) => ({ title, place, code }));
  });
}

/** Those that run, in their order. */
export function readExamples(): Example[] {
  return readBlocks().filter(({ place }) => !place.includes("."))
    .map(({ title, place, code }) => ({ title, runtime: place as Example["runtime"], code }));
}

/** Where the examples are that are whole projects. */
export const FOLDERS: string = join(ROOT, "docs/examples");

/** Those of them that are servers, in the same form. */
export function readServers(): Example[] {
  const rows = [["express/server.js", "node"], ["hono-bun/server.ts", "bun"]] as const;
  return rows.map(([title, runtime]) => ({
    title,
    runtime,
    code: readFileSync(join(FOLDERS, title), "utf8"),
  }));
}

/** The code as JavaScript, with nothing else changed. */
function stripTypes(code: string): string {
  return transformSync(code, { loader: "ts", format: "esm", target: "esnext" }).code;
}

/** One that runs. */
export interface Served {
  port: number;
  /** Sends one request, `GET /path` as `line`. */
  ask(line: string, options?: CallOptions): Promise<Answer>;
}

/** Examples that run. */
export class ServedExamples {
  readonly #folder = makeAppFolder();
  readonly #children: ChildProcess[] = [];
  readonly #upstream: Upstream;

  /** @param upstream takes the place of the target that they name */
  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  /** Starts an example on a free port. */
  async start(example: Example): Promise<Served> {
    const port = await freePort();
    const place = join(this.#folder, String(port));
    const [program, ...args] = this.#write(example, place, port);
    const child = spawn(program, args, {
      cwd: place,
      env: {
        ...process.env,
        ...nextEnvironment(example.bundler),
        NODE_ENV: example.built ? "production" : "development",
        DENO_NO_UPDATE_CHECK: "1",
      },
      stdio: ["ignore", "ignore", "pipe"],
      detached: true,
    });
    this.#children.push(child);
    let said = "";
    child.stderr.on("data", (text) => (said += text));
    const ask = (line: string, options: CallOptions = {}) => call(port, line, options);
    const deadline = performance.now() + PATIENCE_MS;
    while (performance.now() < deadline && child.exitCode === null) {
      const answer = await ask("GET /").catch(() => sleep(50));
      if (answer?.text !== "the application") continue;
      // Next.js compiles a route when it is asked for.
      await ask("GET /proxy", { timeout: PATIENCE_MS });
      return { ask, port };
    }
    throw new Error(`Cannot start the example: it does not answer, expected the application\n${said}`);
  }

  /** Ends all. */
  stop(): void {
    // Next.js serves from a process of its own.
    for (const { pid } of this.#children) process.kill(-pid!, "SIGKILL");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Writes an example down; gives the command that serves it. */
  #write(
    { runtime, code, bundler, built }: Example,
    place: string,
    port: number,
  ): readonly [string, ...string[]] {
    // Node 20 runs no TypeScript.
    const placed = code.replace("3000", String(port)).replace("api.example.com", this.#upstream.host);
    const here = stripTypes(placed);
    mkdirSync(place);
    if (runtime === "route" || runtime === "server") writeNext(place, bundler);
    if (runtime === "route") {
      writeRoute(place, here);
      return serveNext(port, built);
    }
    writeFileSync(join(place, "main.mjs"), here);
    if (runtime === "serve") return [DENO, "serve", "-A", "--port", String(port), "main.mjs"];
    return [...RUN[runtime === "server" ? "node" : runtime], "main.mjs"];
  }
}
