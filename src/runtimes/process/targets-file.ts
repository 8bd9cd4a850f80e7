/**
 * Reads the table of targets from its file, and again whenever that or a file of a key or certificate changes (rule 8.7).
 * @module
 */

import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { asksToken } from "../../core/may/token-duty.ts";
import { Gate, isJson, showFile } from "../../parts/gate/gate.ts";
import { type Config, ConfigError } from "../../core/settings/config.ts";
import type { Sources } from "../../parts/gate/targets/keys.ts";
import { parseTable, readTable, type TargetTable } from "../../parts/gate/targets/table.ts";
import type { Reread } from "./reread.ts";
import { findTlsFault } from "./table-certificates.ts";
import { type Note, WatchedFiles } from "./watch-file.ts";

/** An open table, and the functions that read it again. */
interface Opened {
  gate: Gate;
  rereads: Reread[];
}

/**
 * Opens the table that the settings name.
 *
 * @param isOpen true if other machines can reach the listener
 * @param stopped ends the watching of its files
 * @param isEmbedded true where the settings are options in code
 * @throws {ConfigError} if it is bad or unreadable, or if anyone could use its keys
 */
export function openTargets(
  config: Config,
  isOpen: boolean,
  stopped?: AbortSignal,
  isEmbedded?: boolean,
): Opened {
  const { targets } = config;
  if (targets === undefined) return { gate: new Gate(config), rereads: [] };
  const read = (note: Note) => guardKeys(loadTable(targets, note), config, isOpen);
  const files = new WatchedFiles("the targets", read, isEmbedded);
  const gate = new Gate(config, files.read());
  return { gate, rereads: files.watch((table) => gate.swap(table), () => gate.refuse(), stopped) };
}

/**
 * Reads a table that is given as a file name, as JSON, or as an object.
 *
 * @param note takes the name of each file before it is read, those of keys and certificates too
 * @throws {ConfigError} if it is bad or unreadable
 */
export function loadTable(targets: NonNullable<Config["targets"]>, note: Note = () => {}): TargetTable {
  const isFile = typeof targets === "string" && !isJson(targets);
  const folder = isFile ? dirname(resolve(targets)) : process.cwd();
  const sources: Sources = {
    variable: (name) => process.env[name],
    readFile: (path, isBesideTable) => {
      const file = isBesideTable ? resolve(folder, path) : path;
      note(file);
      return decode(file);
    },
    findTlsFault,
  };
  if (typeof targets !== "string") return readTable(targets, sources);
  if (isFile) note(targets);
  return isFile ? parseTable(readText(targets), sources, targets) : parseTable(targets, sources);
}

/** Reads the text of a table; throws a `ConfigError` if it can't be read. */
function readText(file: string): string {
  try {
    return decode(file);
  } catch {
    throw new ConfigError(`TARGETS is ${showFile(file)}, expected a readable JSON file`);
  }
}

/** The entries of a table that `loadTable` has read, as an object; the files of certificates are found from any folder. */
export function readEntries(targets: string): Record<string, Record<string, unknown> | null> {
  const [text, folder] = isJson(targets) ? [targets, "."] : [readText(targets), dirname(targets)];
  const table = JSON.parse(text) as ReturnType<typeof readEntries>;
  for (const members of Object.values(table)) {
    for (const member of ["ca", "cert", "key"]) {
      const value = members?.[member];
      const isFile = typeof value === "string" && !value.includes("-----BEGIN");
      if (isFile) members![member] = resolve(folder, value);
    }
  }
  return table;
}

/** The text of a file in UTF-8, without the byte order mark that some editors write. */
function decode(file: string): string {
  return new TextDecoder().decode(readFileSync(file));
}

/**
 * Refuses a table with keys that everyone could use.
 *
 * @param isOpen true if other machines can reach the listener
 * @throws {ConfigError} for such a table
 */
export function guardKeys(table: TargetTable, config: Config, isOpen: boolean): TargetTable {
  if (table.keys.size === 0 || !isOpen || asksToken(config)) return table;
  throw new ConfigError(
    "TARGETS holds keys, and other machines can reach the proxy: set PROXY_TOKEN or CALLER_TOKENS, or listen on 127.0.0.1",
  );
}
