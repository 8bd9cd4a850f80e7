/**
 * Tables of targets for unit tests, with keys of their own.
 * @module
 */
import type { Hooks } from "../../src/core/exchange/exchange.ts";
import { hooksOf, NO_HOOKS } from "../../src/core/exchange/hooks.ts";
import { rulesOf } from "../../src/parts/gate/table-rules.ts";
import type { Sources } from "../../src/parts/gate/targets/keys.ts";
import { readTable, type TargetTable } from "../../src/parts/gate/targets/table.ts";

/** The keys that tables of tests may name. */
export const KEYS: Readonly<Record<string, string>> = {
  KEY: "k3y/+ secret",
  OTHER: "other-secret",
  ID: "AKIDNAMED",
};

/** Variables and files of tests: only what is given. */
export function sourcesOf(files: Readonly<Record<string, string>> = {}): Sources {
  return {
    variable: (name) => KEYS[name],
    readFile(path) {
      const text = files[path];
      if (text === undefined) throw new Error("no such file");
      return text;
    },
  };
}

/** A table with these entries. */
export function tableOf(entries: Record<string, unknown>, files: Record<string, string> = {}): TargetTable {
  return readTable(entries, sourcesOf(files));
}

/** What a proxy with this table does in the steps. */
export function hooksFor(table: TargetTable | undefined): Hooks {
  return table ? hooksOf([rulesOf(table, { bytes: 0 })]) : NO_HOOKS;
}

/** The message with which a table is refused; `undefined` if it is taken. */
export function faultOf(entries: unknown, files: Record<string, string> = {}): string | undefined {
  return messageOf(() => readTable(entries, sourcesOf(files))) || undefined;
}

/** The message of what is thrown; empty if nothing is. */
export function messageOf(read: () => unknown): string {
  try {
    read();
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}
