/**
 * The table of targets: reads and checks it whole, and finds the entry of a target (rule 8.1).
 * @module
 */

import { type Address, decodeBase } from "../../../core/address/address.ts";
import { formatTargets } from "../../../core/address/target-lists.ts";
import { ConfigError } from "../../../core/settings/config.ts";
import { listKeyFields } from "../../../core/exchange/table-entry.ts";
import { memoize } from "../../../core/http/memo.ts";
import { findJsonFault, findPlace, type JsonFault } from "./json-fault.ts";
import { findMember, parseUniqueJson, TwinError } from "../../../core/http/unique-json.ts";
import { isRecord } from "../../../core/settings/option-values.ts";
import { nameKnown } from "../../../core/settings/nearest.ts";
import { checkHolder, checkTls, CONNECTION_MEMBERS, isExact } from "./connection-members.ts";
import type { Entry } from "./entry.ts";
import { readKey, type Sources } from "./keys.ts";
import { badPart, type Draft, MemberFault, showName } from "./member.ts";
import { MEMBERS } from "./members.ts";
import { checkSign } from "./sign-member.ts";
import { createFinder, decodePlace } from "./place.ts";

/** The checked table. It never changes: a reload makes a new one. */
export interface TargetTable {
  readonly entries: readonly Entry[];
  /** The entry of an origin such as `https://api.example.com`; `undefined` if there is none. */
  find(origin: string | URL): Entry | undefined;
  /** The base addresses that the entries' labels stand for, by label. */
  readonly labels: ReadonlyMap<string, Address>;
  /** The values of all keys by their names. */
  readonly keys: ReadonlyMap<string, string>;
  /** The values of the keys that callers may place somewhere, by their names. */
  readonly callerKeys: ReadonlyMap<string, string>;
  /** Headers that some entry sets to a value with a key: callers may show their token there. */
  readonly keyFields: ReadonlySet<string>;
  /** How many entries switch the check of certificates off. */
  readonly unchecked: number;
}

/** A table that can't be used. No message shows a value: a key may stand in the wrong place. */
class TableFault extends ConfigError {
  /** What is wrong, and the names of entry and member that lead there. */
  readonly what: string;
  readonly path: readonly string[];

  constructor(source: string, what: string, path: readonly string[] = []) {
    super(`Cannot use ${source}: ${what}`);
    this.what = what;
    this.path = path;
  }
}

/**
 * Reads a table from JSON text.
 *
 * @throws {ConfigError} as `readTable`, with line and column, and for text that is not JSON
 */
export function parseTable(text: string, sources: Sources, source = "TARGETS"): TargetTable {
  try {
    return readTable(parseUniqueJson(text), sources, source);
  } catch (error) {
    if (error instanceof SyntaxError) throw new TableFault(source, describeFault(findJsonFault(text)));
    if (error instanceof TwinError) {
      throw new TableFault(
        source + describePlace(text, error.at),
        "a name stands twice, expected each name once",
      );
    }
    if (!(error instanceof TableFault)) throw error;
    throw new TableFault(source + describePlace(text, findMember(text, error.path)), error.what);
  }
}

function describePlace(text: string, at: number | undefined): string {
  if (at === undefined) return "";
  const { line, column } = findPlace(text, at);
  return ` at line ${line}, column ${column}`;
}

function describeFault(fault: JsonFault | undefined): string {
  const where = fault ? ` at line ${fault.line}, column ${fault.column}` : "";
  return `it is not JSON${where}, expected ${fault?.expected ?? "an object of entries by their targets"}`;
}

/**
 * Reads a table.
 *
 * @throws {ConfigError} one line with the entry, the member and what was expected
 */
export function readTable(table: unknown, sources: Sources, source = "TARGETS"): TargetTable {
  if (!isRecord(table)) {
    throw new TableFault(source, "it is no object, expected entries by their targets");
  }
  const named = Object.entries(table).filter(([name]) => name !== "$schema" && name !== "$comment");
  // Reads each key once: its file may change meanwhile, and responses are searched for the key that was sent.
  const valueOf = memoize((name) => readValue(name, sources));
  const entries = named.map(([name, members]) => readEntry(name, members, { sources, source, valueOf }));
  refuseTwins(entries, source);
  const read = (names: readonly string[]) => new Map(names.map((name) => [name, valueOf(name)]));
  const callerKeys = read(entries.flatMap(({ keys }) => keys));
  return {
    entries,
    find: createFinder(entries),
    labels: new Map(entries.flatMap(({ label }) => label ? [label] : [])),
    keys: new Map([...callerKeys, ...entries.flatMap(({ ownKeys }) => [...ownKeys])]),
    callerKeys,
    keyFields: new Set(entries.flatMap(listKeyFields)),
    unchecked: entries.filter(({ tls }) => tls?.insecure).length,
  };
}

/** An entry that changes nothing. */
const UNCHANGED = {
  set: [],
  setQuery: [],
  ownKeys: new Map(),
  remove: [],
  answerSet: [],
  answerRemove: [],
  keys: [],
  keepsHost: false,
};

/** The context in which all entries of a table are read. */
interface TableReading {
  sources: Sources;
  /** The name of the table in messages. */
  source: string;
  /** The value of a key. */
  valueOf(name: string): string;
}

function readEntry(name: string, members: unknown, { sources, source, valueOf }: TableReading): Entry {
  const place = decodePlace(name);
  if (!place) throw new TableFault(source, describeName(name), [name]);
  const fault = (what: string, ...path: string[]) =>
    new TableFault(source, `entry ${JSON.stringify(name)} ${what}`, [name, ...path]);
  if (!isRecord(members)) throw fault("is no object, expected members such as set");
  const draft: Draft = { name, place };
  const readKeyHere = (key: string) => {
    checkHolder(place);
    return valueOf(key);
  };
  const reading = { name, place, sources, readKey: readKeyHere, base: baseOf(members, place) };
  for (const [member, value] of Object.entries(members)) {
    const known = Object.hasOwn(MEMBERS, member) ? MEMBERS[member] : undefined;
    if (!known) {
      const expected = nameKnown(member, Object.keys(MEMBERS));
      throw fault(`has ${JSON.stringify(showName(member))}, expected ${expected}`, member);
    }
    try {
      if (known.read(value, draft, reading)) continue;
    } catch (error) {
      if (!(error instanceof MemberFault)) throw error;
      throw fault(error.message, member);
    }
    // A number, true, false or null is no key.
    const isShown = typeof value !== "string" && Object(value) !== value;
    const { message } = badPart(member, known.expected);
    throw fault(isShown ? `has ${member} ${value}, expected ${known.expected}` : message, member);
  }
  checkDraft(draft, sources, fault);
  return { ...UNCHANGED, ...draft } as Entry;
}

/** What is wrong with the name of an entry. It is shown where only a scheme and a path are too much. */
function describeName(name: string): string {
  const [, host = ""] = /^[a-z]+:\/\/([^/?#@]+)\/?$/i.exec(name) ?? [];
  const shown = decodePlace(host) ? `entry ${JSON.stringify(name)}` : "an entry";
  return `${shown} is no target, expected a host, *.suffix or an address, each with an optional port`;
}

function checkDraft(draft: Draft, sources: Sources, fault: (what: string) => TableFault): void {
  try {
    checkTls(draft, sources);
    checkSign(draft);
  } catch (error) {
    throw error instanceof MemberFault ? fault(error.message) : error;
  }
}

function readValue(name: string, sources: Sources): string {
  const read = readKey(name, sources);
  if ("fault" in read) throw new MemberFault(`needs a key: ${read.fault}`);
  return read.value;
}

/** The base address that a label stands for: https, unless the name or the port implies http. */
function baseOf(
  members: Readonly<Record<string, unknown>>,
  place: Entry["place"],
): Address | undefined {
  if (!isExact(place)) return undefined;
  // Not as it was written: capitals, a prefix of all bits and IPv6 without brackets make another address, or none.
  const name = formatTargets([place]);
  const isSecure = Object.keys(CONNECTION_MEMBERS).some((member) => Object.hasOwn(members, member));
  const isPlain = /^(?:localhost|\d+\.\d+\.\d+\.\d+|\[.*\])(?::\d+)?$|:80$/.test(name);
  return decodeBase(`${isPlain && !isSecure ? "http" : "https"}://${name}`);
}

function refuseTwins(entries: readonly Entry[], source: string): void {
  const places = new Map<string, string>();
  const labels = new Map<string, string>();
  for (const { name, place, label } of entries) {
    const found = places.get(formatTargets([place])) ?? (label && labels.get(label[0]));
    if (found !== undefined) {
      const both = `entries ${JSON.stringify(found)} and ${JSON.stringify(name)}`;
      throw new TableFault(source, `${both} are for the same target or label, expected one`, [name]);
    }
    places.set(formatTargets([place]), name);
    if (label) labels.set(label[0], name);
  }
}
