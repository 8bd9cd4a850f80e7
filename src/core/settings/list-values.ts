/**
 * Parses list settings: comma-separated text, or arrays in code.
 * @module
 */

import { type Address, ADDRESS_FORMS, type AddressForm, decodeBase } from "../address/address.ts";
import { findBaseFault } from "../address/fault.ts";
import { type Cidr, decodeCidr } from "../address/ip.ts";
import { decodeNamedTargets, type TargetList } from "../address/target-lists.ts";
import type { Pair, Setting } from "./setting.ts";
import { LABEL, parseBoolean } from "./values.ts";

/** Builds the parsers of a list from the parser of its trimmed entries. */
export function listOf<T>(
  read: (entries: readonly string[]) => T | undefined,
): Required<Pick<Setting<T>, "parse" | "parseEntries">> {
  const parseEntries = (entries: readonly string[]) => read(entries.map((entry) => entry.trim()));
  return { parse: (text) => parseEntries(text.split(",")), parseEntries };
}

/** Builds the parsers of a `key=value` list, which may be an object in code. Empty entries beside others are ignored. */
export function recordOf<T>(
  read: (pairs: readonly Pair[]) => T | undefined,
): Required<Pick<Setting<T>, "parse" | "parseEntries" | "parsePairs">> {
  const list = listOf((entries) => read(entries.filter(Boolean).map(cutEntry)));
  const parse = (text: string) => /[^\s,]/.test(text) ? list.parse(text) : undefined;
  return {
    ...list,
    parse,
    parsePairs: (pairs) => read(pairs.map(([key, value]) => [key.trim(), value.trim()])),
  };
}

/** Parses labels and their bases; labels become lower case. */
export function parseLabels(pairs: readonly Pair[]): ReadonlyMap<string, Address> | undefined {
  const labels = new Map<string, Address>();
  for (const [key, value] of pairs) {
    const label = key.toLowerCase();
    const base = decodeBase(value);
    if (!LABEL.test(label) || !base || labels.has(label)) return undefined;
    labels.set(label, base);
  }
  return labels;
}

/** What is wrong with the first bad entry of a list of labels, as a predicate. */
export function findLabelsFault(text: string): string {
  const seen = new Set<string>();
  for (const entry of text.split(",").map((one) => one.trim()).filter(Boolean)) {
    const [key, value] = cutEntry(entry);
    const label = key.toLowerCase();
    if (!entry.includes("=")) return "has an entry without =";
    if (!LABEL.test(label)) return "has a label that is not 1 to 63 letters, digits and inner hyphens";
    if (seen.has(label)) return `has the label ${label} twice`;
    if (!decodeBase(value)) return `has a base for ${label} that ${findBaseFault(value)}`;
    seen.add(label);
  }
  return "is empty";
}

/** Parses `true`, `false`, `auto`, and `auto` followed by targets. */
export function parsePrivateTargets(entries: readonly string[]): boolean | "auto" | TargetList | undefined {
  const [first = "", ...targets] = entries;
  if (first.toLowerCase() === "auto") return targets.length > 0 ? decodeNamedTargets(targets) : "auto";
  return targets.length > 0 ? undefined : parseBoolean(first);
}

/** Reads the names of address forms. */
export function parseForms(entries: readonly string[]): readonly AddressForm[] | undefined {
  const forms = entries.map((entry) => ADDRESS_FORMS.find((form) => form === entry.toLowerCase()));
  return forms.every((form) => form !== undefined) ? forms : undefined;
}

/** Reads addresses and CIDRs. */
export function parseCidrs(entries: readonly string[]): readonly Cidr[] | undefined {
  const cidrs = entries.map(decodeCidr);
  return cidrs.every((cidr) => cidr !== undefined) ? cidrs : undefined;
}

/** Splits an entry at `=`. The key is empty if there is none. */
function cutEntry(entry: string): Pair {
  const cut = entry.indexOf("=");
  return [entry.slice(0, Math.max(cut, 0)), entry.slice(cut + 1)];
}
