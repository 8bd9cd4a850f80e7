/**
 * The input of a small command: its argument, or stdin.
 * @module
 */

import { Buffer } from "node:buffer";

/**
 * Reads the only argument of a command; without one, or for `-`, all of stdin. Surrounding blanks are dropped.
 *
 * @throws {Error} with a one-line message, if there is no input, more than one argument, or invalid UTF-8
 */
export async function readInput(command: string, words: readonly string[]): Promise<string> {
  const [word = "-", ...rest] = words;
  if (rest.length > 0) {
    throw new Error(`Cannot ${command}: there are ${words.length} arguments, expected one in quotes`);
  }
  const isWaiting = words.length === 0 && process.stdin.isTTY;
  const text = word === "-" && !isWaiting ? await readStdin(command) : word;
  const trimmed = isWaiting ? "" : text.trim();
  if (trimmed) return trimmed;
  throw new Error(`Cannot ${command}: there is no input, expected an argument in quotes, or text on stdin`);
}

async function readStdin(command: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  try {
    // It may be a directory, which Bun tells.
    for await (const chunk of process.stdin) chunks.push(chunk);
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new Error(`Cannot ${command}: stdin is not UTF-8, expected text`);
  }
}
