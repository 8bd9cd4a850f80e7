/**
 * Watches the files of settings for changes.
 * @module
 */

import { statSync } from "node:fs";
import { ConfigError } from "../../core/settings/config.ts";
import { nameOptions } from "../../core/settings/option-names.ts";
import type { Reread } from "./reread.ts";
import { writeError } from "./write-log.ts";

/** How often the files are checked, in milliseconds. */
const WATCH_MS = 500;
/** How often files are read that change meanwhile, before that is told. */
const ATTEMPTS = 3;

/** Takes the name of a file just before it is read; throws for one that must not be read. */
export type Note = (file: string) => void;

/** Files that make one value. It is of one moment: files that change while they are read are read again. */
export class WatchedFiles<Value> {
  readonly #what: string;
  readonly #read: (note: Note) => Value;
  readonly #isEmbedded: boolean;
  /** The files as they were just before they were read. */
  #seen: ReadonlyMap<string, string> = new Map();

  /**
   * @param what names what is read, such as `the targets`
   * @param read reads the files, which may be others each time, or throws
   * @param isEmbedded true where the settings are options in code, which messages name then
   */
  constructor(what: string, read: (note: Note) => Value, isEmbedded = false) {
    this.#what = what;
    this.#read = read;
    this.#isEmbedded = isEmbedded;
  }

  /**
   * Reads all files.
   *
   * @throws {ConfigError} if one is a pipe, or they change all the time; else what reading them throws
   */
  read(): Value {
    for (let left = ATTEMPTS; left > 0; left -= 1) {
      const known = [...this.#seen.keys()].map((file) => [file, stamp(file)] as const);
      const noted = new Map<string, string>();
      const note = (file: string) => {
        refusePipe(file);
        if (!noted.has(file)) noted.set(file, stamp(file));
      };
      const isSame = () => [...noted].every(([file, text]) => stamp(file) === text);
      try {
        const value = this.#read(note);
        this.#seen = noted;
        if (isSame()) return value;
      } catch (error) {
        this.#seen = new Map([...known, ...noted]);
        if (isSame()) throw error;
      }
    }
    throw new ConfigError("the files change while they are read");
  }

  /**
   * Uses what the files hold after each change. If they are bad, what was read before stays in force.
   *
   * @param use puts a value in force, or throws
   * @param stopped ends the watching, which does not keep the process running
   * @returns the function that reads them again at SIGHUP
   */
  watch(use: (value: Value) => void, refuse: () => void, stopped?: AbortSignal): Reread[] {
    const reread = () => {
      try {
        use(this.read());
      } catch (error) {
        refuse();
        throw error;
      }
    };
    const timer = setInterval(this.#createLook(reread), WATCH_MS).unref();
    stopped?.addEventListener("abort", () => clearInterval(timer), { once: true });
    return [() => Promise.resolve().then(reread).then(() => this.#what)];
  }

  /**
   * Makes the function that looks at the files. It reads them when one has changed and then all have stayed the same from one
   * look to the next, because a file may be written in parts.
   */
  #createLook(reread: () => void): () => void {
    let pending = "";
    return () => {
      const now = [...this.#seen.keys()].map((file) => [file, stamp(file)] as const);
      const changed = now.filter(([file, text]) => this.#seen.get(file) !== text).join("\n");
      const isSettled = changed === pending;
      pending = changed;
      if (changed === "" || !isSettled) return;
      pending = "";
      try {
        reread();
        writeError(`fetchvia: read again: ${this.#what}`);
      } catch (error) {
        const reason = error instanceof ConfigError ? error.message : "it can't be read";
        writeError(`fetchvia keeps ${this.#what} as they were: ${nameOptions(reason, this.#isEmbedded)}`);
      }
    };
  }
}

/**
 * Refuses a pipe in place of a file: reading one would stop everything until somebody writes to it.
 *
 * @throws {ConfigError} if the file is a pipe
 */
export function refusePipe(file: string): void {
  if (isPipe(file)) throw new ConfigError(`${JSON.stringify(file)} is a pipe, expected a file`);
}

function isPipe(file: string): boolean {
  try {
    return statSync(file).isFIFO();
  } catch {
    return false;
  }
}

/**
 * A text that changes with the file. It contains the inode, because many programs replace a file to change it, and the time of
 * any change, because programs can set back the other time.
 */
function stamp(file: string): string {
  try {
    const { mtimeMs, ctimeMs, size, ino } = statSync(file);
    return `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
  } catch {
    return "missing";
  }
}
