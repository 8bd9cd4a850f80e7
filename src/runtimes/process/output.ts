/**
 * Writes stdout and stderr line by line in the background. A slow reader delays no request, and no failure ends the
 * proxy.
 * @module
 */

import { Buffer } from "node:buffer";
import fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Log lines are gathered for this many milliseconds, or until there are this many. Longer waits would burden the
 * garbage collector.
 */
const GATHER_MS = 20;
const GATHERED_LINES = 50;
/** On Deno (2.9) every write goes through another thread, whatever its size, so more lines are gathered. */
const GATHERED_LINES_DENO = 500;
/** Maximum bytes that may wait for a reader or for disk space. Further lines are dropped. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
/** Retry delays in milliseconds: for a full pipe, and for other failures. */
const FULL_MS = 10;
const FAILED_MS = 1_000;
/** Time to write the remaining lines at the end, in milliseconds. */
const FINISH_MS = 1_000;

/** The destination of lines. */
export interface Outlet {
  /** Writes some of the bytes and returns how many; rejects with `EAGAIN` if there is no room now. */
  write(bytes: Uint8Array): Promise<number>;
  /** Writes synchronously, for the end of the process. */
  writeNow(bytes: Uint8Array): void;
  /** Reports that writing fails, or works again. */
  tell(state: string): void;
}

/** Buffers and writes lines. */
export class Output {
  readonly #outlet: Outlet;
  readonly #gatheredLines: number;
  #gathered: string[] = [];
  #timer: unknown;
  /** Complete lines that wait to be written. */
  #waiting = "";
  /** The rest of the lines being written. */
  #rest: Uint8Array = Buffer.alloc(0);
  #writing: Promise<void> | undefined;
  /** True during a write, when it is unknown how many bytes of `#rest` have been written. */
  #isLent = false;
  #hasFailed = false;
  #dropped = 0;

  /** @param gatheredLines number of lines to write at once */
  constructor(outlet: Outlet, gatheredLines: number) {
    this.#outlet = outlet;
    this.#gatheredLines = gatheredLines;
  }

  /** Takes a line, without its end. */
  push(line: string): void {
    if (this.#gathered.push(line) >= this.#gatheredLines) return this.#handOver();
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#handOver();
    }, GATHER_MS);
  }

  /** Settles when all lines are written, or after a time limit. */
  async finish(): Promise<void> {
    this.#handOver();
    await Promise.race([this.#writing, sleep(FINISH_MS, undefined, { ref: false })]);
  }

  /** Writes as much as possible at once, for the end of the process. */
  finishNow(): void {
    if (this.#isLent) return;
    const text = this.#waiting + this.#gathered.map((line) => `${line}\n`).join("");
    try {
      this.#outlet.writeNow(Buffer.concat([this.#rest, Buffer.from(text)]));
    } catch {
      // The process ends, so the failure can't be reported.
    }
  }

  #handOver(): void {
    const { length } = this.#gathered;
    if (length === 0) return;
    const text = `${this.#gathered.join("\n")}\n`;
    this.#gathered = [];
    if (this.#rest.length + this.#waiting.length + text.length > MAX_WAITING_BYTES) {
      this.#dropped += length;
      return this.#fail("nobody reads it");
    }
    this.#waiting += text;
    this.#writing ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting) {
      this.#rest = Buffer.from(this.#waiting);
      this.#waiting = "";
      while (this.#rest.length) await this.#writeSome();
    }
    this.#writing = undefined;
    if (!this.#hasFailed) return;
    this.#outlet.tell(`is back: ${this.#dropped} lines were dropped`);
    this.#hasFailed = false;
    this.#dropped = 0;
  }

  async #writeSome(): Promise<void> {
    this.#isLent = true;
    try {
      this.#rest = this.#rest.subarray(await this.#outlet.write(this.#rest));
      this.#isLent = false;
    } catch (error) {
      this.#isLent = false;
      const { code = "Error" } = error as { code?: string };
      if (code === "EAGAIN") return await sleep(FULL_MS);
      this.#fail(code);
      // This delay must not keep the process running.
      await sleep(FAILED_MS, undefined, { ref: false });
    }
  }

  #fail(reason: string): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#outlet.tell(`fails (${reason}): its lines wait, and those beyond 16 MiB are dropped`);
  }
}

/** The members of Deno used here, declared so that every compiler can check this file. */
declare const Deno: Record<StreamName, { write(bytes: Uint8Array): Promise<number> }>;
type StreamName = "stdout" | "stderr";

/** Writes bytes without blocking requests. */
export function createWrite(name: StreamName): Outlet["write"] {
  // On Deno (2.9), synchronous writes block all requests.
  if ("deno" in process.versions) return (bytes) => Deno[name].write(bytes);
  // Accessing the stream makes Bun and Node switch a pipe to non-blocking; then a synchronous write is cheapest.
  const { fd, isTTY } = process[name];
  if (!isTTY && process.platform !== "win32") return (bytes) => Promise.resolve(fs.writeSync(fd, bytes));
  return (bytes) =>
    new Promise((resolve, reject) => {
      fs.write(fd, bytes, (error, written) => error ? reject(error) : resolve(written));
    });
}

function createOutput(name: StreamName, gatheredLines: number, tell: Outlet["tell"]): Output {
  const writeNow = (bytes: Uint8Array) => void fs.writeSync(process[name].fd, bytes);
  const output = new Output({ tell, write: createWrite(name), writeNow }, gatheredLines);
  process.on("exit", () => output.finishNow());
  return output;
}

/** The proxy's own messages. */
export const stderr: Output = createOutput("stderr", 1, () => {});

/** The log. */
export const stdout: Output = createOutput(
  "stdout",
  "deno" in process.versions ? GATHERED_LINES_DENO : GATHERED_LINES,
  (state) => stderr.push(`fetchvia: the log ${state}`),
);
