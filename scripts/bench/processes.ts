/**
 * Starts the programs that the bench needs, each on its core, and ends all of them.
 * @module
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { requestOnce } from "./raw-client.ts";

/** The core that the proxy under test has for itself. */
const PROXY_CORE = 0;
/** The core that load, target and the bench itself share. */
export const LOAD_CORE = 1;

/** The cores of a proxy that may use several: as many as the machine has beside that of the load, at least one. */
export function proxyCores(count = 1): string {
  const others = Array.from({ length: availableParallelism() }, (_, core) => core).slice(LOAD_CORE + 1);
  return [PROXY_CORE, ...others].slice(0, count).join();
}

const READY_MS = 15_000;
const POLL_MS = 2;
const STDERR_CHARS = 2_000;

/** A program to run. */
export interface Launch {
  command: readonly [program: string, ...args: string[]];
  /** Variables in addition to a few of the bench's own environment; nothing else is inherited. */
  env?: Readonly<Record<string, string>>;
}

/** A running program. Its id is that of the program itself, because shell and `taskset` are replaced by it (`exec`). */
export interface Running {
  pid: number;
  /** When it was started, on the clock of `performance`. */
  begun: number;
  /** The end of what it wrote to stderr. */
  complaint(): string;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();

/** Whether processes can be tied to a core here. */
export const PINS = availableParallelism() > 1 && spawnSync("taskset", ["-V"]).status === 0;

/** The arguments that start a command on a core with as many open files as the system grants. */
function pinned(core: number | string, command: readonly string[]): [string, ...string[]] {
  const tie = PINS ? ["taskset", "-c", String(core)] : [];
  return ["sh", "-c", 'ulimit -n "$(ulimit -H -n)"; exec "$@"', "sh", ...tie, ...command];
}

/** Ties the bench to the core of the load. */
export function pinSelf(): void {
  if (PINS) spawnSync("taskset", ["-a", "-c", "-p", String(LOAD_CORE), String(process.pid)]);
}

/** The environment of every program, without any of the caller's settings. */
export function plainEnvironment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = "", HOME = "", DENO_DIR } = process.env;
  return { PATH, HOME, ...(DENO_DIR && { DENO_DIR }), DENO_NO_UPDATE_CHECK: "1", ...more };
}

/** Starts a program on a core. Its stdout is discarded. */
export function start(core: number | string, { command, env }: Launch): Running {
  const [program, ...args] = pinned(core, command);
  const begun = performance.now();
  const child = spawn(program, args, { env: plainEnvironment(env), stdio: ["ignore", "ignore", "pipe"] });
  const { pid } = child;
  if (pid === undefined) throw new Error(`Cannot start ${command[0]}: no process, expected one`);
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => (complaint = (complaint + chunk).slice(-STDERR_CHARS)));
  running.add(child);
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  void exited.then(() => running.delete(child));
  const stop = () => {
    child.kill("SIGKILL");
    return exited;
  };
  return { pid, begun, complaint: () => complaint.trim(), stop };
}

/**
 * Runs a program on a core to its end.
 *
 * @returns what it wrote to stdout
 */
export async function capture(core: number, command: readonly string[]): Promise<string> {
  const [program, ...args] = pinned(core, command);
  const child = spawn(program, args, { env: plainEnvironment(), stdio: ["ignore", "pipe", "ignore"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk));
  running.add(child);
  await new Promise<void>((resolve) => child.once("close", () => resolve()));
  running.delete(child);
  return output;
}

/** Ends everything that still runs; safe to call at any time. */
export function stopAll(): void {
  for (const child of running) child.kill("SIGKILL");
}

/**
 * Waits until a program accepts a connection and, if a path is given, until it answers a GET.
 *
 * @returns milliseconds since it was started
 * @throws {Error} with its stderr, if it ends or stays silent
 */
export async function waitUntilReady(program: Running, port: number, path?: string): Promise<number> {
  while (performance.now() - program.begun < READY_MS) {
    const isReady = path === undefined ? canConnect(port) : requestOnce({ port, path }).then(() => true);
    if (await isReady.catch(() => false)) return performance.now() - program.begun;
    if (!isAlive(program.pid)) break;
    await Bun.sleep(POLL_MS);
  }
  throw new Error(`Cannot reach port ${port}: ${program.complaint() || "no word on stderr"}`);
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A port that is free right now. */
export function findPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject).listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
