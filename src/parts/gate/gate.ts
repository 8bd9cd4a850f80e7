/**
 * The settings and the table of targets as they are now. A new table is swapped in whole; requests on their way keep the
 * one that they began with (rule 8.7).
 * @module
 */

import { type Config, ConfigError } from "../../core/settings/config.ts";
import { revokedFileOf } from "../tokens/token-settings.ts";
import type { Sources } from "./targets/keys.ts";
import { parseTable, readTable, type TargetTable } from "./targets/table.ts";

/** Holds both. */
export class Gate {
  readonly #settings: Config;
  #config: Config;
  #table: TargetTable | undefined;
  #revoked: ReadonlySet<string>;
  #loaded = 0;
  #refused = 0;

  /** @throws {ConfigError} for a label that `PROXY_LABELS` has already */
  constructor(settings: Config, table?: TargetTable) {
    this.#settings = settings;
    this.#config = settings;
    this.#revoked = new Set(settings.revokedTokens);
    if (table) this.swap(table);
  }

  /** The settings, with the labels of the table. */
  get config(): Config {
    return this.#config;
  }

  get table(): TargetTable | undefined {
    return this.#table;
  }

  /** Ids of callers' tokens that no longer count. */
  get revoked(): ReadonlySet<string> {
    return this.#revoked;
  }

  /** How many tables were taken, and how many refused, since the start. */
  get reloads(): { readonly loaded: number; readonly refused: number } {
    return { loaded: this.#loaded, refused: this.#refused };
  }

  /**
   * Takes a new table for requests to come.
   *
   * @throws {ConfigError} for a label that `PROXY_LABELS` has already; then the old one stays
   */
  swap(table: TargetTable): void {
    const { proxyLabels } = this.#settings;
    for (const label of table.labels.keys()) {
      if (proxyLabels.has(label)) {
        throw new ConfigError(`Cannot use TARGETS: its label ${label} is in PROXY_LABELS, expected it once`);
      }
    }
    this.#config = table.labels.size === 0
      ? this.#settings
      : Object.freeze({ ...this.#settings, proxyLabels: new Map([...proxyLabels, ...table.labels]) });
    this.#table = table;
    this.#loaded += 1;
  }

  /** Takes the ids of tokens that no longer count, in place of those before. */
  revoke(ids: Iterable<string>): void {
    this.#revoked = new Set(ids);
  }

  /** Notes a table that could not be taken. */
  refuse(): void {
    this.#refused += 1;
  }
}

/**
 * Makes the gate of a table that stands in the settings itself.
 *
 * @param environment variables that hold the keys
 * @throws {ConfigError} for a bad table, and for the name of a file, which can't be read here
 */
export function createGate(config: Config, environment: Readonly<Record<string, unknown>> = {}): Gate {
  const { targets, revokedTokens } = config;
  const file = revokedTokens.find((entry) => revokedFileOf(entry) !== undefined);
  if (file !== undefined) {
    throw new ConfigError(
      `REVOKED_TOKENS names ${JSON.stringify(file)}, expected ids: files can't be read here`,
    );
  }
  if (targets === undefined) return new Gate(config);
  const sources: Sources = { variable: (name) => readVariable(environment[name]) };
  if (typeof targets !== "string") return new Gate(config, readTable(targets, sources));
  if (isJson(targets)) return new Gate(config, parseTable(targets, sources));
  throw new ConfigError(
    `TARGETS is ${JSON.stringify(targets)}, expected the JSON itself: files can't be read here`,
  );
}

/** True for a table itself, false for the name of its file. */
export function isJson(text: string): boolean {
  return text.trimStart().startsWith("{");
}

/** The text of a variable; bindings of a platform may be numbers. */
export function readVariable(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
