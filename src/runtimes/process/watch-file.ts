/**
 * Watches the files of settings for changes.
 * @module
 */

import { statSync } from "node:fs";
import { ConfigError } from "../../core/settings/config.ts";
import type { Reread } from "./reread.ts";
import { writeError } from "./write-log.ts";

/** How often the files are checked, in milliseconds. */
const WATCH_MS = 500;

/**
 * Loads files again after each change. If they are bad, what was loaded before stays in force.
 *
 * @param what names what is loaded, such as `the targets`
 * @param list lists the files, which may be others after a change
 * @param load loads them, or throws
 * @param stopped ends the watching
 * @returns the function that loads them again at SIGHUP
 */
export function keepLoaded(
  what: string,
  list: () => Iterable<string>,
  load: () => void,
  stopped?: AbortSignal,
): Reread[] {
  watchFiles(list, () => {
    try {
      load();
    } catch (error) {
      const reason = error instanceof ConfigError ? error.message : "it can't be read";
      writeError(`fetchvia keeps ${what} as they were: ${reason}`);
    }
  }, stopped);
  return [() => Promise.resolve().then(load).then(() => what)];
}

/**
 * Refuses pipes in place of files: reading one would stop everything until somebody writes to it.
 *
 * @throws {ConfigError} if one of the files is a pipe
 */
export function refusePipes(files: Iterable<string>): void {
  const pipe = [...files].find(isPipe);
  if (pipe !== undefined) throw new ConfigError(`${JSON.stringify(pipe)} is a pipe, expected a file`);
}

function isPipe(file: string): boolean {
  try {
    return statSync(file).isFIFO();
  } catch {
    return false;
  }
}

/**
 * Calls back when one of the files has changed and then all have stayed the same for `WATCH_MS`, because it may be written in
 * parts. The watching does not keep the process running.
 */
function watchFiles(list: () => Iterable<string>, changed: () => void, stopped?: AbortSignal): void {
  const seen = new Map<string, string>();
  const noteNew = () => {
    for (const file of list()) if (!seen.has(file)) seen.set(file, stamp(file));
  };
  noteNew();
  let pending = "";
  const timer = setInterval(() => {
    noteNew();
    const now = [...list()].map((file) => [file, stamp(file)] as const);
    const fresh = now.filter(([file, text]) => seen.get(file) !== text).join("\n");
    if (fresh === "" || fresh !== pending) {
      pending = fresh;
      return;
    }
    pending = "";
    for (const [file, text] of now) seen.set(file, text);
    changed();
    noteNew();
  }, WATCH_MS).unref();
  stopped?.addEventListener("abort", () => clearInterval(timer), { once: true });
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
