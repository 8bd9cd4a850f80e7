/**
 * The proxy under test: each runtime's real entry, started as a child process on a free port.
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Answer, call, type CallOptions } from "./client.ts";
import { freePort } from "./free-port.ts";
import { serveCommand } from "./workerd.ts";

/** The folder of the project. */
export const ROOT: string = fileURLToPath(new URL("../..", import.meta.url));

/** The runtimes that the suite runs against. A missing one fails, it is never skipped. */
export type RuntimeName = "bun" | "deno" | "node" | "worker";

/** Environment settings of the proxy (rule 7.1). */
export type Settings = Readonly<Record<string, string | undefined>>;

interface DenoInstall {
  runInstall(): string;
}

/** The command of the package, which starts sooner than its sources. */
const COMMAND = join(ROOT, "dist/command/main.js");

// The npm commands of Deno and workerd are shims that wait and pass no signal on, so the real binaries are started.
// A Worker does not listen itself, and knows no listener on loopback: what runs it is told where, and `auto` refuses.
const COMMANDS: Record<RuntimeName, (settings: Settings) => [command: string, ...args: string[]]> = {
  bun: () => [join(ROOT, "node_modules/.bin/bun"), COMMAND],
  deno: () => {
    const install = createRequire(import.meta.url)("deno/install_api.cjs") as DenoInstall;
    return [install.runInstall(), "run", "-A", "--unstable-net", COMMAND];
  },
  node: () => [process.execPath, COMMAND],
  worker: ({ HOST = "127.0.0.1", PORT = "0", PRIVATE_TARGETS, ALLOW_TARGETS, FIRST_KEY }) => {
    const address = `${HOST.includes(":") ? `[${HOST}]` : HOST}:${PORT}`;
    const isOpened = PRIVATE_TARGETS === "true" || ALLOW_TARGETS !== undefined;
    const network = FIRST_KEY ? "keyed" : isOpened ? "private" : "public";
    return serveCommand(["test/support/worker.capnp", network], address);
  },
};

/** What starts the entry of a runtime, from the root of the project. */
export function commandOf(
  runtime: RuntimeName,
  settings: Settings = {},
): [command: string, ...args: string[]] {
  return COMMANDS[runtime](settings);
}

/** Settings that a runtime needs for what the others do by default. */
const NEEDED: Record<RuntimeName, Settings> = {
  bun: {},
  deno: {},
  node: {},
  worker: { PRIVATE_TARGETS: "true" },
};

/** Below the ten seconds that a proxy waits at most before it stops, and more than a busy machine needs. */
export const SOON_MS = 9_000;

/** How a process ended. */
export interface Exit {
  code: number | null;
  /** Milliseconds from the start, or from `stop()`, to the end. */
  took: number;
}

const running = new Set<Child>();

/** Kills what tests have left running, because they failed before they could stop it. */
export function killLeft(): void {
  for (const child of running) child.process.kill("SIGKILL");
}

process.once("exit", killLeft);

/** An entry as a child process. */
export class Child {
  readonly process: ChildProcess;
  readonly #exited: Promise<number | null>;
  #stdout = "";
  #stderr = "";

  /** @param stdout a file to write it to; else `stdout()` gives it */
  constructor(
    runtime: RuntimeName,
    settings: Settings,
    flags: string[] = [],
    stdout: number | "pipe" = "pipe",
  ) {
    const needed = { ...NEEDED[runtime], ...settings };
    const [command, ...args] = COMMANDS[runtime](needed);
    const { PATH = "", HOME = "", TMPDIR = "/tmp" } = process.env;
    // Nothing of the caller's environment but what a process needs, so that a stray PORT or HOST changes no test.
    const env = { PATH, HOME, TMPDIR, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", ...needed };
    this.process = spawn(command, [...args, ...flags], { cwd: ROOT, env, stdio: ["ignore", stdout, "pipe"] });
    this.process.stdout?.setEncoding("utf8").on("data", (text: string) => (this.#stdout += text));
    this.process.stderr!.setEncoding("utf8").on("data", (text: string) => (this.#stderr += text));
    this.process.on("error", (error) => (this.#stderr += `Cannot start ${command}: ${error.message}`));
    running.add(this);
    this.process.on("close", () => running.delete(this));
    this.#exited = once(this.process, "close").then(([code]) => code as number | null, () => null);
  }

  stdout(): string {
    return this.#stdout;
  }

  stderr(): string {
    return this.#stderr;
  }

  get running(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null &&
      this.process.pid !== undefined;
  }

  /** Has it said that it listens: the start line, or what workerd says in its place. */
  get listens(): boolean {
    return /listening on|"event":"listen"/.test(this.#stderr);
  }

  /** Waits for the end of the process; kills it after `timeout` milliseconds, then the code is `null`. */
  async exit(timeout = 40_000, start: number = performance.now()): Promise<Exit> {
    const timer = setTimeout(() => this.process.kill("SIGKILL"), timeout);
    const code = await this.#exited;
    clearTimeout(timer);
    return { code, took: performance.now() - start };
  }

  /** Sends a signal and waits for the end. */
  stop(signal: NodeJS.Signals = "SIGTERM"): Promise<Exit> {
    const start = performance.now();
    this.process.kill(signal);
    return this.exit(40_000, start);
  }
}

/** A proxy that answers. */
export class Proxy extends Child {
  readonly port: number;
  readonly origin: string;
  /** How often it has answered while it was started: so many lines its log begins with. */
  answered = 0;

  constructor(runtime: RuntimeName, settings: Settings, { flags, stdout }: StartOptions, port: number) {
    super(runtime, settings, flags, stdout);
    this.port = port;
    this.origin = `http://127.0.0.1:${port}`;
  }

  /** Sends one request, `GET /path` as `line`. */
  call(line: string, options: CallOptions = {}): Promise<Answer> {
    return call(this.port, line, options);
  }
}

/**
 * Starts the runtime's entry and waits until it listens and is healthy. Another test may take a free port before the entry
 * does: then it starts on another one.
 */
export async function startProxy(
  runtime: RuntimeName,
  settings: Settings = {},
  options: StartOptions = {},
): Promise<Proxy> {
  for (;;) {
    const port = options.port ?? await freePort();
    const own = options.flags ? settings : { PORT: String(port), ...settings };
    const proxy = new Proxy(runtime, own, options, port);
    const failure = await untilHealthy(proxy, "TLS_CERT" in settings);
    if (!failure) return proxy;
    if (options.port !== undefined || !isTaken(port, failure)) throw new Error(failure);
  }
}

/** Does an entry say that somebody else has its port; workerd does not name it. */
function isTaken(port: number, failure: string): boolean {
  return failure.includes(`PORT ${port} is in use`) || failure.includes("Address already in use");
}

export interface StartOptions {
  /** Command line flags; then the port is not set by environment. */
  flags?: string[];
  /** The port that the flags name. */
  port?: number;
  /** A file that takes stdout. */
  stdout?: number;
}

/** A process that has ended, and what it wrote. */
export interface Ended extends Exit {
  stdout: string;
  stderr: string;
}

/** Runs the entry where it is expected to end by itself. */
export async function runToExit(
  runtime: RuntimeName,
  settings: Settings,
  flags: string[] = [],
): Promise<Ended> {
  const child = new Child(runtime, settings, flags);
  // One that starts all the same is stopped at once, so that its test fails soon.
  child.process.stderr!.on("data", () => child.listens && child.process.kill("SIGKILL"));
  const exit = await child.exit();
  return { ...exit, stdout: child.stdout(), stderr: child.stderr() };
}

/** Waits for a proxy; says what is wrong with one that does not come. */
async function untilHealthy(proxy: Proxy, tls: boolean): Promise<string | undefined> {
  const deadline = performance.now() + 40_000;
  while (performance.now() < deadline && proxy.running) {
    if (proxy.listens && await isHealthy(proxy, tls)) return undefined;
    await sleep(20);
  }
  const state = proxy.running ? "it does not answer" : `it ended with ${proxy.process.exitCode}`;
  proxy.process.kill("SIGKILL");
  return `Cannot start the proxy: ${state}, expected health\n${proxy.stderr()}`;
}

async function isHealthy(proxy: Proxy, tls: boolean): Promise<boolean> {
  try {
    const answer = await call(proxy.port, "GET /__proxy__/health", { tls });
    proxy.answered += 1;
    return answer.status === 200;
  } catch {
    return false;
  }
}
