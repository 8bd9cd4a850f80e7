/**
 * Tells when a file of settings has changed.
 * @module
 */

import { statSync } from "node:fs";

/** How often the file is looked at, in milliseconds. */
const WATCH_MS = 500;

/**
 * Calls back when the file has changed and then stayed the same for a while, because it may be written in parts. It does
 * not keep the process running.
 *
 * @param stopped ends it
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

/** What changes with the file: its inode too, since many programs replace it. */
function stamp(file: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(file);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return "missing";
  }
}
