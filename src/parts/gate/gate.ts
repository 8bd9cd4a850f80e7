/**
 * The current settings and table of targets. A new table is swapped in whole; requests in flight keep the table that they
 * started with (rule 8.7).
 * @module
 */

import { type Config, ConfigError, readRevoked } from "../../core/settings/config.ts";
import type { LiveSettings, Part } from "../../core/part.ts";
import { createGatePart } from "./part.ts";
import type { Sources } from "./targets/keys.ts";
import { parseTable, readTable, type TargetTable } from "./targets/table.ts";

/** Holds the current settings, the table and the revoked tokens. */
export class Gate implements LiveSettings {
  /** Applies the table; absent without one. */
  readonly part: Part | undefined;
  readonly #settings: Config;
  #config: Config;
  #table: TargetTable | undefined;
  #revoked: ReadonlySet<string>;
  #loaded = 0;
  #refused = 0;

  /** @throws {ConfigError} if a label of the table is also in `PROXY_LABELS` */
  constructor(settings: Config, table?: TargetTable) {
    this.#settings = settings;
    this.#config = settings;
    this.#revoked = new Set(settings.revokedTokens);
    this.part = table && createGatePart(() => this.#table);
    if (table) this.swap(table);
  }

  /** The settings, with the labels of the table. */
  get config(): Config {
    return this.#config;
  }

  get table(): TargetTable | undefined {
    return this.#table;
  }

  /** Ids of callers' tokens that were revoked. */
  get revoked(): ReadonlySet<string> {
    return this.#revoked;
  }

  /** How many tables were loaded so far. */
  get version(): number {
    return this.#loaded;
  }

  /** How many tables were loaded, and how many were refused, since the start; `undefined` without a table. */
  get reloads(): LiveSettings["reloads"] {
    return this.#table && { loaded: this.#loaded, refused: this.#refused };
  }

  /**
   * Uses a new table for all requests from now on.
   *
   * @throws {TypeError} if there was no table from the start, because then nothing applies one
   * @throws {ConfigError} if a label of the table is also in `PROXY_LABELS`; the old table then stays in use
   */
  swap(table: TargetTable): void {
    if (!this.part) throw new TypeError("Cannot swap the table: there is none, expected one from the start");
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

  /** Replaces the ids of revoked tokens. */
  revoke(ids: Iterable<string>): void {
    this.#revoked = new Set(ids);
  }

  /** Counts a table that could not be used. */
  refuse(): void {
    this.#refused += 1;
  }
}

/**
 * Makes the gate for a table that is written in the settings themselves.
 *
 * @param environment variables that hold the keys; `undefined` if the caller passed none
 * @throws {ConfigError} for a bad table, and for the name of a file, because files can't be read here
 */
export function createGate(config: Config, environment?: Readonly<Record<string, unknown>>): Gate {
  const { targets } = config;
  readRevoked(config);
  if (targets === undefined) return new Gate(config);
  const sources: Sources = {
    variable: (name) => readVariable(environment?.[name]),
    lacking: environment ? undefined : "variables, as in createProxy(options, { environment: process.env })",
  };
  if (typeof targets !== "string") return new Gate(config, readTable(targets, sources));
  if (isJson(targets)) return new Gate(config, parseTable(targets, sources));
  throw new ConfigError(
    `TARGETS is ${showFile(targets)}, expected the JSON itself: files can't be read here`,
  );
}

/** True if the text is the table itself, false if it is the name of a file. */
export function isJson(text: string): boolean {
  return text.trimStart().startsWith("{");
}

/** A name of a file for a message; text that may be a table is not shown. */
export function showFile(text: string): string {
  return /^[\p{L}\p{N}_ .:/\\@+()~-]{1,255}\.[a-z]{1,5}$/u.test(text)
    ? JSON.stringify(text)
    : "neither JSON nor the name of a file such as targets.json";
}

/** The text of a variable; bindings of a platform may be numbers. */
export function readVariable(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
