/**
 * Writes the result of a command to stdout.
 * @module
 */

import { Buffer } from "node:buffer";
import fs from "node:fs";
import { writeError } from "../runtimes/process/write-log.ts";

/** How long to wait where stdout has no room, in milliseconds. */
const FULL_MS = 10;

/**
 * Writes a text as lines, whole: `console.log` leaves out what a full disk does not take, without a word on Node and Bun. A
 * failure is one line on stderr and exit code 1; a reader that has seen enough is none.
 */
export function writeResult(text: string): void {
  let rest: Uint8Array = Buffer.from(`${text}\n`);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(fs.writeSync(1, rest));
    } catch (error) {
      const { code = "it can't be written" } = error as { code?: string };
      if (code === "EAGAIN") {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_MS);
        continue;
      }
      if (code === "EPIPE") return;
      writeError(`fetchvia: stdout fails (${code}), so the result is not whole`);
      process.exitCode = 1;
      return;
    }
  }
}
