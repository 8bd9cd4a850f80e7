/**
 * Real git on both sides of the proxy: the command as the caller, and `git http-backend` behind a small server as the target.
 * @module
 */
import { execFile, spawn } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { splitHead } from "./http.ts";

const run = promisify(execFile);

/** A command that takes longer than this many milliseconds hangs. */
const MAX_MS = 10_000;
/** No setting of this machine, no question, no help from outside; what is random is stored as it is. */
const ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: process.env["PATH"] ?? "",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_TERMINAL_PROMPT: "0",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@a.test",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@a.test",
  GIT_CONFIG_COUNT: "2",
  GIT_CONFIG_KEY_0: "core.compression",
  GIT_CONFIG_VALUE_0: "0",
  GIT_CONFIG_KEY_1: "init.defaultBranch",
  GIT_CONFIG_VALUE_1: "main",
};

/** Runs git; gives what it writes. Rejects where it fails or hangs. */
export async function git(...args: string[]): Promise<string> {
  const { stdout } = await run("git", args, { env: ENVIRONMENT, timeout: MAX_MS, killSignal: "SIGKILL" });
  return stdout.trim();
}

/** A folder with a repository to push from, and those that are served. */
export class GitHost {
  readonly folder: string;
  readonly #server: Server;
  #bare = 0;

  constructor(folder: string) {
    this.folder = folder;
    this.#server = createServer((request, response) => serve(folder, request, response));
  }

  /**
   * Starts the server, with one commit of so many random bytes to push.
   *
   * @throws {Error} where git has no `http-backend`
   */
  static async start(size: number): Promise<GitHost> {
    const host = new GitHost(await mkdtemp(join(tmpdir(), "fetchvia-git-")));
    await git("http-backend").catch(({ stdout, message }: { stdout?: string; message: string }) => {
      // Without a request it answers with an error, as CGI.
      if (!stdout?.startsWith("Status: 500")) {
        throw new Error(`Cannot test git: ${message}, expected git http-backend`);
      }
    });
    await git("init", "--quiet", host.work);
    await writeFile(join(host.work, "large"), randomFillSync(Buffer.alloc(size)));
    await git("-C", host.work, "add", "large");
    await git("-C", host.work, "commit", "--quiet", "--message=large");
    host.#server.listen(0, "127.0.0.1");
    await once(host.#server, "listening");
    return host;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The repository to push from. */
  get work(): string {
    return join(this.folder, "work");
  }

  /** Makes another repository, empty, to push to; gives its name. */
  async create(): Promise<string> {
    this.#bare += 1;
    const name = `${this.#bare}.git`;
    const path = join(this.folder, name);
    await git("init", "--quiet", "--bare", path);
    await git("-C", path, "config", "http.receivepack", "true");
    return name;
  }

  /** The commit and the size of the file in a repository, by its path. */
  async read(path: string): Promise<string[]> {
    return [
      await git("-C", path, "rev-parse", "main"),
      await git("-C", path, "cat-file", "-s", "main:large"),
    ];
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Answers by CGI (RFC 3875): what the program writes goes out as it comes, and it begins before it has read the body. */
function serve(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? "", "http://a.test");
  const { headers } = request;
  const backend = spawn("git", ["http-backend"], {
    stdio: ["pipe", "pipe", "ignore"],
    env: {
      ...ENVIRONMENT,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: "1",
      REQUEST_METHOD: request.method,
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: headers["content-type"] ?? "",
      CONTENT_LENGTH: headers["content-length"] ?? "",
      HTTP_CONTENT_ENCODING: headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(headers["git-protocol"] ?? ""),
    },
  });
  backend.stdin.on("error", () => {});
  request.pipe(backend.stdin);
  let start: Buffer = Buffer.alloc(0);
  backend.stdout.on("data", (bytes: Buffer) => {
    if (response.headersSent) return void response.write(bytes);
    start = Buffer.concat([start, bytes]);
    const split = splitHead(Buffer.concat([Buffer.from("CGI\r\n"), start]));
    if (!split) return;
    const fields = split.head.headers.filter(([name]) => name !== "Status");
    response.writeHead(Number.parseInt(split.head.header("status") ?? "200"), fields.flat());
    response.flushHeaders();
    response.write(split.rest);
  });
  backend.stdout.on("end", () => response.end());
  response.on("close", () => backend.kill());
}
