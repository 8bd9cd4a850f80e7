/**
 * Settings that are lists: as text with commas between the entries, and in code entry by entry.
 * @module
 */

import { type Address, decodeBase } from "../address/address.ts";
import { type Cidr, decodeCidr } from "../address/ip.ts";
import { decodeNamedTargets, type TargetList } from "../address/lists.ts";
import type { Pair, Setting } from "./setting.ts";
import { LABEL, parseBoolean } from "./values.ts";

/** The readers of a list, made of the one for its entries: they have no blanks around them. */
export function listOf<T>(
  read: (entries: readonly string[]) => T | undefined,
): Required<Pick<Setting<T>, "parse" | "parseEntries">> {
  const parseEntries = (entries: readonly string[]) => read(entries.map((entry) => entry.trim()));
  return { parse: (text) => parseEntries(text.split(",")), parseEntries };
}

/** The readers of a list of `key=value`, which may be an object in code; empty entries of a list do not count. */
export function recordOf<T>(
  read: (pairs: readonly Pair[]) => T | undefined,
): Required<Pick<Setting<T>, "parse" | "parseEntries" | "parsePairs">> {
  const list = listOf((entries) => read(entries.filter(Boolean).map(cutEntry)));
  return { ...list, parsePairs: (pairs) => read(pairs.map(([key, value]) => [key.trim(), value.trim()])) };
}

/** Reads labels and their bases; labels are lower-case then. */
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

/** Reads `true`, `false`, `auto`, and `auto` with targets behind it. */
export function parsePrivateTargets(entries: readonly string[]): boolean | "auto" | TargetList | undefined {
  const [first = "", ...targets] = entries;
  if (first.toLowerCase() === "auto") return targets.length > 0 ? decodeNamedTargets(targets) : "auto";
  return targets.length > 0 ? undefined : parseBoolean(first);
}

/** Reads addresses and CIDRs. */
export function parseCidrs(entries: readonly string[]): readonly Cidr[] | undefined {
  const cidrs = entries.map(decodeCidr);
  return cidrs.every((cidr) => cidr !== undefined) ? cidrs : undefined;
}

/** The key is empty where there is no `=`. */
function cutEntry(entry: string): Pair {
  const cut = entry.indexOf("=");
  return [entry.slice(0, Math.max(cut, 0)), entry.slice(cut + 1)];
}
