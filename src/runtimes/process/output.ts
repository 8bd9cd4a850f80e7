/**
 * Writes stdout and stderr line by line in the background. A slow reader delays no request, and no failure ends the
 * proxy.
 * @module
 */

import { Buffer } from "node:buffer";
import fs from "node:fs";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

/** Lines of the log wait for others this many milliseconds, or until there are so many: what waits longer, the collector has to keep. */
const GATHER_MS = 20;
const GATHERED_LINES = 50;
/** Maximum bytes that wait for a reader or for disk space. Further lines are dropped. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
/** Retry delays in milliseconds: for a full pipe, and for other failures. */
const FULL_MS = 10;
const FAILED_MS = 1_000;
/** Time to write the remaining lines at the end, in milliseconds. */
const FINISH_MS = 1_000;

/** Where lines go. */
export interface Outlet {
  /** Writes some of the bytes and gives how many; rejects with `EAGAIN` where there is no room now. */
  write(bytes: Uint8Array): Promise<number>;
  /** Writes at the end of the process, when nothing can be waited for. */
  writeNow(bytes: Uint8Array): void;
  /** Says what becomes of the lines. */
  tell(state: string): void;
}

/** Lines on their way out. */
export class Output {
  readonly #outlet: Outlet;
  readonly #gatheredLines: number;
  #gathered: string[] = [];
  #timer: unknown;
  /** Whole lines that nobody writes yet. */
  #waiting = "";
  /** What is left of those that are being written. */
  #rest: Uint8Array = Buffer.alloc(0);
  #writing: Promise<void> | undefined;
  /** True while the system has bytes of `#rest`, so that nobody knows how many are out. */
  #isLent = false;
  #hasFailed = false;
  #dropped = 0;

  /** @param gatheredLines so many lines are written at once */
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

  /** Settles when all is written, or has taken too long. */
  async finish(): Promise<void> {
    this.#handOver();
    await Promise.race([this.#writing, sleep(FINISH_MS, undefined, { ref: false })]);
  }

  /** Writes what can be written at once; for the end of the process. */
  finishNow(): void {
    if (this.#isLent) return;
    const text = this.#waiting + this.#gathered.map((line) => `${line}\n`).join("");
    try {
      this.#outlet.writeNow(Buffer.concat([this.#rest, Buffer.from(text)]));
    } catch {
      // There is nobody left to tell.
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
      // A process that ends otherwise need not wait for this.
      await sleep(FAILED_MS, undefined, { ref: false });
    }
  }

  #fail(reason: string): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#outlet.tell(`fails (${reason}): its lines wait, and those beyond 16 MiB are dropped`);
  }
}

/** The members of Deno that are used here, so that every compiler can check this file. */
declare const Deno: Record<StreamName, { write(bytes: Uint8Array): Promise<number> }>;
type StreamName = "stdout" | "stderr";

/** Writes bytes so that no request waits for whoever reads them. */
function createWrite(name: StreamName): Outlet["write"] {
  // On Deno (2.9), synchronous writes block all requests.
  if ("deno" in process.versions) return (bytes) => Deno[name].write(bytes);
  // Bun and Node have made a pipe one that does not wait, once they have looked at it; then this costs least.
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
  GATHERED_LINES,
  (state) => stderr.push(`fetchvia: the log ${state}`),
);
