/**
 * Finds the most specific entry of a target by its name as written, without any look-up.
 * @module
 */

import { decodeAddress, portOf } from "../../../core/address/address.ts";
import { isAddress, isInCidr, normalizeAddress } from "../../../core/address/ip.ts";
import { decodeTargetList, type TargetEntry } from "../../../core/address/target-lists.ts";
import { MANY, memoize } from "../../../core/http/memo.ts";

/** Anything with a place in the table. */
interface Placed {
  readonly place: TargetEntry;
}

/** Reads the name of an entry; `undefined` if it names no target. */
export function decodePlace(name: string): TargetEntry | undefined {
  const [place] = decodeTargetList([name]) ?? [];
  return place;
}

/**
 * Makes the function that finds the entry of an origin such as `https://api.example.com:8443`.
 *
 * An entry with a port comes before those without one; then an exact name before a suffix, a longer suffix before a
 * shorter one, a smaller range before a larger one, and `*` last.
 */
export function createFinder<T extends Placed>(
  entries: readonly T[],
): (origin: string | URL) => T | undefined {
  const exact = new Map<string, T>();
  const suffixes = new Map<string, T>();
  /** Single addresses, as `normalizeAddress` shows them, in brackets: an IPv6 address may end as a port does. And wider ranges. */
  const addresses = new Map<string, T>();
  const ranges: T[] = [];
  const all = new Map<number | undefined, T>();
  for (const entry of entries) {
    const { place } = entry;
    if (place.kind === "name") exact.set(keyOf(place.host, place.port), entry);
    else if (place.kind === "suffix") suffixes.set(keyOf(place.suffix, place.port), entry);
    else if (place.kind === "range" && isOne(place)) {
      addresses.set(keyOf(`[${place.cidr[0].toString()}]`, place.port), entry);
    } else if (place.kind === "range") ranges.push(entry);
    else all.set(place.port, entry);
  }
  ranges.sort((one, other) => bitsOf(other) - bitsOf(one));
  const longest = [...suffixes.keys()].reduce((most, key) => Math.max(most, key.length), 0);
  const findFor = (host: string, port: number | undefined): T | undefined =>
    isAddress(host)
      ? addresses.get(keyOf(`[${normalizeAddress(host)}]`, port)) ??
        ranges.find(({ place }) => place.port === port && place.kind === "range" && contains(place, host)) ??
        all.get(port)
      : exact.get(keyOf(host, port)) ?? findSuffix(suffixes, longest, host, port) ?? all.get(port);
  const findText = memoize((text) => {
    const origin = decodeAddress(text)?.origin;
    if (!origin) return undefined;
    const port = portOf(origin);
    const host = origin.hostname.replace(/\.$/, "");
    return findFor(host, port) ?? findFor(host, undefined);
  }, MANY);
  return rememberOrigins(findText);
}

/** Caches entries by URL object: requests reuse these objects, and serializing one costs more than the search. */
function rememberOrigins<T>(
  findText: (text: string) => T | undefined,
): (origin: string | URL) => T | undefined {
  const known = new WeakMap<URL, { entry: T | undefined }>();
  // The steps of a request ask for the same origin one after the other.
  let last: URL | undefined;
  let lastEntry: T | undefined;
  return (origin) => {
    if (origin === last) return lastEntry;
    if (typeof origin === "string") return findText(origin);
    let found = known.get(origin);
    if (!found) known.set(origin, found = { entry: findText(origin.origin) });
    last = origin;
    lastEntry = found.entry;
    return lastEntry;
  };
}

/** Checks no more of a host than the longest suffix has: a host of nothing but dots would take quadratic time. */
function findSuffix<T>(
  suffixes: ReadonlyMap<string, T>,
  longest: number,
  host: string,
  port: number | undefined,
): T | undefined {
  const first = host.indexOf(".", host.length - longest);
  for (let dot = first; dot >= 0; dot = host.indexOf(".", dot + 1)) {
    const found = suffixes.get(keyOf(host.slice(dot), port));
    if (found) return found;
  }
  return undefined;
}

function contains(place: TargetEntry & { kind: "range" }, host: string): boolean {
  return isInCidr(host.replace(/^\[(.*)\]$/, "$1"), place.cidr);
}

/** True for a range of one address. */
function isOne({ cidr: [base, bits] }: TargetEntry & { kind: "range" }): boolean {
  return bits === (base.kind() === "ipv4" ? 32 : 128);
}

function bitsOf({ place }: Placed): number {
  return place.kind === "range" ? place.cidr[1] + (place.cidr[0].kind() === "ipv4" ? 96 : 0) : 0;
}

/** The map key of a name: its host or suffix, and its port. */
function keyOf(host: string, port: number | undefined): string {
  return port === undefined ? host : `${host}:${port}`;
}
