/**
 * Reads the ids of revoked tokens from the files in `REVOKED_TOKENS`, and again whenever one changes (rule 10.3).
 * @module
 */

import { readFileSync } from "node:fs";
import type { Gate } from "../../parts/gate/gate.ts";
import { isTokenId, revokedFileOf } from "../../core/settings/values.ts";
import { type Config, ConfigError } from "../../core/settings/config.ts";
import type { Reread } from "./reread.ts";
import { type Note, WatchedFiles } from "./watch-file.ts";

/**
 * Gives the gate the ids of all files, now and after each change. If a file becomes bad, the previous ids stay in force.
 *
 * @param stopped ends the watching of the files
 * @param isEmbedded true where the settings are options in code
 * @returns the function that reads them again at SIGHUP; empty without files
 * @throws {ConfigError} if a file is bad or unreadable
 */
export function openRevoked(
  { revokedTokens }: Config,
  gate: Gate,
  stopped?: AbortSignal,
  isEmbedded?: boolean,
): Reread[] {
  const files = revokedTokens.map(revokedFileOf).filter((file) => file !== undefined);
  if (files.length === 0) return [];
  const read = (note: Note) => {
    files.forEach(note);
    return listRevoked(revokedTokens);
  };
  const watched = new WatchedFiles("the revoked tokens", read, isEmbedded);
  gate.revoke(watched.read());
  return watched.watch((ids) => gate.revoke(ids), () => {}, stopped);
}

/**
 * The ids of revoked tokens, with those in files.
 *
 * @throws {ConfigError} if a file is bad or unreadable
 */
export function listRevoked(revokedTokens: Config["revokedTokens"]): string[] {
  return revokedTokens.flatMap((entry) => {
    const file = revokedFileOf(entry);
    return file === undefined ? [entry] : readIds(file);
  });
}

/** Reads one id per line. Blank lines and lines that begin with `#` are ignored. */
function readIds(file: string): string[] {
  const lines = readText(file).split(/\r?\n/).map((line) => line.trim());
  const ids = lines.filter((line) => line !== "" && !line.startsWith("#"));
  const bad = ids.find((id) => !isTokenId(id));
  if (bad === undefined) return ids;
  throw new ConfigError(
    `REVOKED_TOKENS: ${file} has the line ${JSON.stringify(bad)}, expected the id of a token such as ci`,
  );
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new ConfigError(`REVOKED_TOKENS names ${JSON.stringify(file)}, expected a readable file of ids`);
  }
}
