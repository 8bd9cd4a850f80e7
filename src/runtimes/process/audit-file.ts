/**
 * Writes the lines of `AUDIT`: each whole, by one process or several, and each known to be written before its request goes on (rules 22.15 and 22.16).
 * @module
 */

import { Buffer } from "node:buffer";
import fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../core/settings/config.ts";
import { count } from "./count.ts";
import { createWrite } from "./output.ts";
import { type Reread, RereadError } from "./reread.ts";
import { writeError } from "./write-log.ts";

/** Only the owner reads the file. */
const MODE = 0o600;
/** Lines that wait for one write. */
const MOST_LINES = 256;
/** How often is looked, in milliseconds, whether the file was renamed. */
const LOOK_MS = 1_000;
/** How long stderr or a pipe may be full, and the time between two attempts, in milliseconds. */
const PATIENCE_MS = 1_000;
const AGAIN_MS = 10;

/** Where lines go. */
export interface Destination {
  /** How many lines it takes at once. */
  readonly most: number;
  /** Writes bytes; returns or resolves to how many were written, which may be fewer than all. */
  write(bytes: Uint8Array): Promise<number> | number;
}

/** A line that waits to be written. */
interface Waiting {
  readonly line: string;
  settle(failure?: Error): void;
}

/** Lines on their way to a destination, in order. */
export class AuditLines {
  readonly #destination: Destination;
  readonly #isLoose: boolean;
  readonly #tell: (state: string) => void;
  #waiting: Waiting[] = [];
  #isWriting = false;
  #lost = 0;

  /**
   * @param isLoose true if a line that can't be written does not matter to its request
   * @param tell reports that writing fails, or works again
   */
  constructor(destination: Destination, isLoose: boolean, tell: (state: string) => void) {
    this.#destination = destination;
    this.#isLoose = isLoose;
    this.#tell = tell;
  }

  /** Writes a line, given without its end; rejects if that fails. */
  write(line: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (failure?: Error) => failure && !this.#isLoose ? reject(failure) : resolve();
      this.#waiting.push({ line: `${line}\n`, settle });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    // What comes in this turn of the loop goes out in one write.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#writeSome(this.#waiting.splice(0, this.#destination.most));
    this.#isWriting = false;
  }

  async #writeSome(lines: readonly Waiting[]): Promise<void> {
    // What failed may have written part of a line.
    const start = this.#lost > 0 ? "\n" : "";
    const bytes = Buffer.from(start + lines.map(({ line }) => line).join(""));
    let failure: Error = Object.assign(new Error("Not all was written"), { code: "ENOSPC" });
    let written = 0;
    try {
      written = await this.#destination.write(bytes);
    } catch (error) {
      failure = error as Error;
    }
    let end = start.length;
    for (const { line, settle } of lines) {
      end += Buffer.byteLength(line);
      if (end <= written) settle();
      else this.#lose(failure, settle);
    }
    if (this.#lost === 0 || end > written) return;
    this.#tell(`is back: it lacks ${count(this.#lost, "decision")}`);
    this.#lost = 0;
  }

  #lose(failure: Error, settle: Waiting["settle"]): void {
    const { code = "Error" } = failure as { code?: string };
    const way = this.#isLoose ? "requests go on without a record" : "requests are refused";
    if (this.#lost === 0) this.#tell(`fails (${code}): ${way}`);
    this.#lost += 1;
    settle(failure);
  }
}

/**
 * A file that may be renamed: what comes then goes to a new one of its name. Writing to it costs less than to hand the bytes to
 * another thread. It waits for no reader, but for the disk, and with it everything else of the process.
 */
class RotatedFile implements Destination {
  readonly most = MOST_LINES;
  readonly #path: string;
  #descriptor: number;
  #looked = performance.now();

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = openToAppend(path, false);
  }

  /** False for a pipe or a device. */
  get isRegular(): boolean {
    return fs.fstatSync(this.#descriptor).isFile();
  }

  write(bytes: Uint8Array): number {
    if (performance.now() - this.#looked >= LOOK_MS) this.renew();
    return fs.writeSync(this.#descriptor, bytes);
  }

  /** Closes the file; later lines fail. */
  close(): void {
    fs.closeSync(this.#descriptor);
    // The system gives its number to the next file.
    this.#descriptor = -1;
  }

  /**
   * Opens the file again if another or none has its name; true if so. Until that works, nothing is written: the old file may
   * be deleted.
   */
  renew(): boolean {
    // If that fails, the next line tries it again.
    this.#looked = -Infinity;
    const { dev, ino } = fs.fstatSync(this.#descriptor);
    const found = fs.statSync(this.#path, { throwIfNoEntry: false });
    const isOther = found?.ino !== ino || found.dev !== dev;
    if (isOther) {
      const old = this.#descriptor;
      this.#descriptor = openToAppend(this.#path, true);
      fs.closeSync(old);
    }
    this.#looked = performance.now();
    return isOther;
  }
}

/** Where links are the system's own. */
const DEVICES = /^\/(?:dev|proc)\//;

/**
 * Opens a file to append to, under this name alone: through a link, whoever may write to the folder would choose what the lines
 * are added to. `/dev/stdout` is a link to a terminal or a pipe. What is open is judged, not its name: that may change.
 * To open a pipe that nobody reads fails; else it would stop the whole process.
 *
 * @param isAgain true if only a file will do
 */
function openToAppend(path: string, isAgain: boolean): number {
  const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_WRONLY } = fs.constants;
  const flags = O_WRONLY | O_APPEND | O_NONBLOCK;
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(path, flags | O_CREAT | O_NOFOLLOW, MODE);
  } catch (error) {
    if (isAgain || !DEVICES.test(path)) throw error;
  }
  const isLink = descriptor === undefined;
  descriptor ??= fs.openSync(path, flags);
  const found = fs.fstatSync(descriptor);
  if (found.isFile() ? !isLink && found.nlink <= 1 : !isAgain) return descriptor;
  fs.closeSync(descriptor);
  throw Object.assign(new Error("It is no file of one name"), { code: "ENXIO" });
}

/**
 * Stderr or a pipe, one line at a time: it takes it whole beside those of other processes. While nobody reads it, only the first
 * line waits: the others would wait for each other.
 */
export function makePipe(write: Destination["write"]): Destination {
  let fullSince: number | undefined;
  return {
    most: 1,
    async write(bytes) {
      for (let written = 0;;) {
        try {
          written += await write(bytes.subarray(written));
          fullSince = undefined;
          if (written >= bytes.length) return written;
        } catch (error) {
          fullSince ??= performance.now();
          const isOver = performance.now() - fullSince > PATIENCE_MS;
          if ((error as { code?: string }).code !== "EAGAIN" || isOver) throw error;
          await sleep(AGAIN_MS);
        }
      }
    },
  };
}

/**
 * Opens where `AUDIT` says.
 *
 * @param stopped closes the file
 * @returns the function that takes lines, absent if the setting is not set or a function itself; and what SIGHUP does
 * @throws {RereadError} if the file can't be written
 */
export function openAudit(
  { audit }: Config,
  stopped?: AbortSignal,
): { write?: (line: string) => Promise<void>; rereads: Reread[] } {
  if (typeof audit?.to !== "string") return { rereads: [] };
  const { to, isLoose } = audit;
  const file = to === "stderr" ? undefined : openFile(to);
  stopped?.addEventListener("abort", () => file?.close(), { once: true });
  const lines = new AuditLines(
    file?.isRegular ? file : makePipe(file ? (bytes) => file.write(bytes) : createWrite("stderr")),
    isLoose,
    (state) => writeError(`fetchvia: AUDIT ${state}`),
  );
  const outcome = isLoose ? "Requests go on without a record until then" : "Requests are refused until then";
  const renew = () => attempt(() => file?.renew(), to, outcome) ? "AUDIT, which is a new file" : undefined;
  const reread = () => Promise.resolve().then(renew);
  return { write: (line) => lines.write(line), rereads: file ? [reread] : [] };
}

function openFile(path: string): RotatedFile {
  return attempt(() => new RotatedFile(path), path);
}

/** @throws {RereadError} for what the system refuses */
function attempt<T>(open: () => T, path: string, outcome = ""): T {
  try {
    return open();
  } catch {
    const expected =
      "a file that can be written, with one name, and no link to one, or a pipe that something reads already";
    throw new RereadError(`AUDIT is ${JSON.stringify(path)}, expected ${expected}`, outcome);
  }
}
