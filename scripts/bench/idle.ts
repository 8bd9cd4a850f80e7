/**
 * Idle connections: callers that got one response and stay connected, as browsers and pools do.
 * @module
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { readUsage } from "./measure.ts";
import { formatRequest, type RawRequest } from "./raw-client.ts";
import { ResponseReader } from "./response-reader.ts";

/** How many connections stay open at once. */
export const IDLE_CONNECTIONS = 10_000;
/** How many of them wait for their response at a time, so that no queue of new connections overflows. */
const AT_ONCE = 64;
/** How long the proxy rests before its memory is read, in milliseconds. */
const REST_MS = 500;
const OPEN_MS = 60_000;
/** Files that a process needs besides its connections. */
const SPARE_FILES = 200;

/** The memory that the connections cost, in bytes. */
export interface IdleResult {
  /** Memory with all connections open and idle, minus the memory before. */
  growth: number;
  peak: number;
}

/**
 * Opens the connections through a proxy that has answered once, with one response each, and leaves them idle for seconds.
 *
 * @throws {Error} if a connection is lost, or if this machine does not grant enough open files
 */
export async function measureIdle(pid: number, request: RawRequest, seconds: number): Promise<IdleResult> {
  for (const member of [process.pid, pid]) allowFiles(member, IDLE_CONNECTIONS + SPARE_FILES);
  await Bun.sleep(REST_MS);
  const idle = readUsage(pid).residentBytes;
  const callers = new Callers(request);
  try {
    await callers.open(IDLE_CONNECTIONS);
    await Bun.sleep(seconds * 1000);
    callers.check();
    const { residentBytes, peakBytes } = readUsage(pid);
    return { growth: residentBytes - idle, peak: peakBytes };
  } finally {
    callers.close();
  }
}

/** Makes sure that a process may open so many files; raises the limit of the process if the system allows it. */
function allowFiles(pid: number, count: number): void {
  if (readFileLimit(pid) >= count) return;
  spawnSync("prlimit", ["--pid", String(pid), `--nofile=${count}:${count}`]);
  const limit = readFileLimit(pid);
  if (limit >= count) return;
  throw new Error(
    `${limit} open files are granted, expected ${count} for ${IDLE_CONNECTIONS} connections: raise ulimit -Hn`,
  );
}

function readFileLimit(pid: number): number {
  const limits = readFileSync(`/proc/${pid}/limits`, "utf8");
  return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
}

/** The callers' ends of the connections. */
class Callers {
  readonly #port: number;
  readonly #bytes: Buffer;
  readonly #sockets: Socket[] = [];
  #answered = 0;
  #wrong = 0;
  #lost = 0;

  constructor(request: RawRequest) {
    this.#port = request.port;
    this.#bytes = formatRequest(request);
  }

  async open(count: number): Promise<void> {
    const deadline = performance.now() + OPEN_MS;
    while (this.#answered < count) {
      while (this.#sockets.length < Math.min(count, this.#answered + AT_ONCE)) this.#openOne();
      await Bun.sleep(1);
      if (performance.now() > deadline) break;
      this.check();
    }
    if (this.#answered < count) throw new Error(`${this.#answered} of ${count} connections got an answer`);
  }

  check(): void {
    const count = this.#sockets.length;
    if (this.#lost > 0) throw new Error(`${this.#lost} of ${count} idle connections were lost`);
    if (this.#wrong > 0) throw new Error(`${this.#wrong} of ${count} answers had another status than 200`);
  }

  close(): void {
    for (const socket of this.#sockets.splice(0)) socket.removeAllListeners("close").destroy();
  }

  #openOne(): void {
    const reader = new ResponseReader({
      onEnd: ({ status }) => {
        this.#answered += 1;
        if (status !== 200) this.#wrong += 1;
      },
    });
    const socket = connect(this.#port, "127.0.0.1", () => socket.write(this.#bytes));
    socket.on("data", (chunk: Buffer) => reader.push(chunk));
    socket.on("error", () => {}).on("close", () => (this.#lost += 1));
    this.#sockets.push(socket);
  }
}
