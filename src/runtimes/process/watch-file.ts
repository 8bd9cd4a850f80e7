/**
 * Watches a settings file for changes.
 * @module
 */

import { statSync } from "node:fs";

/** How often the file is checked, in milliseconds. */
const WATCH_MS = 500;

/**
 * Calls back when the file has changed and then stayed the same for `WATCH_MS`, because it may be written in parts. The
 * watching does not keep the process running.
 *
 * @param stopped ends the watching
 */
export function watchFile(file: string, changed: () => void, stopped?: AbortSignal): void {
  let seen = stamp(file);
  let pending: string | undefined;
  const timer = setInterval(() => {
    const now = stamp(file);
    if (now === pending) {
      pending = undefined;
      seen = now;
      changed();
    } else pending = now === seen ? undefined : now;
  }, WATCH_MS).unref();
  stopped?.addEventListener("abort", () => clearInterval(timer), { once: true });
}

/** A text that changes with the file. It contains the inode too, because many programs replace a file to change it. */
function stamp(file: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(file);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return "missing";
  }
}
