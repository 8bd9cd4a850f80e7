/**
 * `ALLOW_TARGETS` and `DENY_TARGETS`: parses the lists, and checks a target by name, then by its addresses.
 * @module
 */

import { type Cidr, decodeCidr, isAddress, isInCidr, isLoopbackHost, unpackAddress } from "./ip.ts";
import { parseUrl } from "./url.ts";

/** One entry; without a `port` it applies to every port. */
export type TargetEntry =
  & { port?: number }
  & (
    | { kind: "any" }
    /** `host`: lower-case ASCII, no trailing dot. */
    | { kind: "name"; host: string }
    /** `suffix` starts with its dot: every name below it, at any depth, and not the name itself. */
    | { kind: "suffix"; suffix: string }
    /** An address is a range of one. */
    | { kind: "range"; cidr: Cidr }
  );

/**
 * The entries of one list, in the order of the setting; which one matches first makes no difference.
 *
 * @internal
 */
export type TargetList = readonly TargetEntry[];

/** Both lists. An empty `allow` allows every target. `deny` always wins. */
export interface TargetLists {
  allow: TargetList;
  deny: TargetList;
}

/** `needs_addresses`: the name does not decide; look it up, then call `judgeAddresses`. Without DNS, refuse. */
export type NameJudgement = "allowed" | "refused" | "needs_addresses";

/**
 * Reads the entries of a list, each a host name, `*.suffix`, `*`, an address or a CIDR, with an optional `:port`. IPv6
 * needs brackets to have a port (`[::1]:80`, `[fd00::]/8:443`).
 * @returns `undefined` when an entry is malformed or empty, so that no typo opens a list.
 */
export function decodeTargetList(texts: readonly string[]): TargetList | undefined {
  const entries = texts.map(decodeEntry);
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

/** Parses a list that must not be empty: to the proxy, an empty list means every target, but its author may mean none. */
export function decodeSomeTargets(texts: readonly string[]): TargetList | undefined {
  return texts.length > 0 ? decodeTargetList(texts) : undefined;
}

/** Parses a list of named targets: `*` is refused. */
export function decodeNamedTargets(texts: readonly string[]): TargetList | undefined {
  const list = decodeTargetList(texts);
  return list?.some(({ kind }) => kind === "any") ? undefined : list;
}

/** The list as it is written in a setting. */
export function formatTargets(list: TargetList): string {
  return list.map((entry) => {
    const port = entry.port === undefined ? "" : `:${entry.port}`;
    if (entry.kind === "name") return entry.host + port;
    if (entry.kind === "suffix") return `*${entry.suffix}${port}`;
    return (entry.kind === "any" ? "*" : formatCidr(entry.cidr, port !== "")) + port;
  }).join(",");
}

/** Puts IPv6 in brackets if it has a port or is a single address: otherwise one that ends with a colon looks cut off. */
function formatCidr([base, bits]: Cidr, hasPort: boolean): string {
  const isWide = base.kind() === "ipv6";
  const isOne = bits === (isWide ? 128 : 32);
  const address = isWide && (hasPort || isOne) ? `[${base.toString()}]` : base.toString();
  return isOne ? address : `${address}/${bits}`;
}

/**
 * Phase one: by the name as written, so that DNS is not asked for a name that no entry can allow. An address in place
 * of a name is judged at once. `allowed` does not cover private addresses: see `permitsPrivate`.
 * @param hostname As `URL.hostname` gives it.
 * @param port The port that is dialled, the scheme's default included.
 */
export function judgeName(lists: TargetLists, hostname: string, port: number): NameJudgement {
  if (isAddress(hostname)) return judgeAddresses(lists, hostname, port, [hostname]);
  if (matchesName(lists.deny, hostname, port)) return "refused";
  const isAllowed = lists.allow.length === 0 || matchesName(lists.allow, hostname, port);
  if (isAllowed) return hasRange(lists.deny, port) ? "needs_addresses" : "allowed";
  return hasRange(lists.allow, port) ? "needs_addresses" : "refused";
}

/**
 * Phase two: by the name and all addresses that it resolves to; safe without phase one. Refused when a range of `deny`
 * contains any address, or IPv4 inside one (NAT64, 6to4 …). If only ranges of `allow` could allow it, they must contain all
 * addresses, each as it is dialled.
 * @param addresses For an address in place of a name: that one.
 */
export function judgeAddresses(
  lists: TargetLists,
  hostname: string,
  port: number,
  addresses: readonly string[],
): "allowed" | "refused" {
  if (matchesName(lists.deny, hostname, port)) return "refused";
  if (addresses.flatMap(unpackAddress).some((address) => isInRange(lists.deny, address, port))) {
    return "refused";
  }
  if (lists.allow.length === 0 || matchesName(lists.allow, hostname, port)) return "allowed";
  const isCovered = addresses.every((address) => isInRange(lists.allow, address, port));
  return isCovered && addresses.length > 0 ? "allowed" : "refused";
}

/**
 * Keeps only those addresses of `localhost` that ranges allow, because all of them are one machine's. Keeps all addresses
 * for other names, and if the name itself is allowed, if no address is allowed, or if one is denied.
 */
export function narrowLoopback(
  { allow, deny }: TargetLists,
  hostname: string,
  port: number,
  addresses: readonly string[],
): readonly string[] {
  const isNamed = allow.length === 0 || matchesName(allow, hostname, port);
  if (isNamed || !isLoopbackHost(hostname)) return addresses;
  const allowed = addresses.filter((address) => isInRange(allow, address, port));
  const isDenied = addresses.some((address) => isInRange(deny, address, port));
  return isDenied || allowed.length === 0 ? addresses : allowed;
}

/**
 * True if an entry names this host, or a range with this address. Then the address is allowed even if private targets
 * are refused. `*` and suffixes never count. Call it for each private address of an allowed target.
 */
export function permitsPrivate(allow: TargetList, hostname: string, port: number, address: string): boolean {
  const named = allow.filter(({ kind }) => kind === "name");
  return matchesName(named, hostname, port) || isInRange(allow, address, port);
}

/** True if an entry names the host itself, a suffix of it, or a range that contains the address. */
export function isNamed(list: TargetList, hostname: string, port: number, address: string): boolean {
  return matchesName(list, hostname, port) || isInRange(list, address, port);
}

/** True if an entry is an IPv6 range, so that an AAAA record may decide what an A record does not. */
export function hasIpv6Range(list: TargetList): boolean {
  return list.some((entry) => entry.kind === "range" && entry.cidr[0].kind() === "ipv6");
}

function decodeEntry(text: string): TargetEntry | undefined {
  const [, bare = text, digits] = /^(\[.*|[^:]*):([1-9]\d{0,4})$/.exec(text) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  if (port !== undefined && port > 65_535) return undefined;
  if (bare === "*") return { kind: "any", port };
  const cidr = decodeCidr(bare);
  if (cidr !== undefined) return { kind: "range", cidr, port };
  const host = decodeName(bare.replace(/^\*\./, ""));
  if (host === undefined) return undefined;
  return bare.startsWith("*.") ? { kind: "suffix", suffix: `.${host}`, port } : { kind: "name", host, port };
}

/**
 * Normalises a name as `new URL` does (case, IDN); `undefined` for an IP address and for anything else that is not a
 * name.
 */
function decodeName(text: string): string | undefined {
  const url = /[\s/?#@\\:%]/.test(text) ? undefined : parseUrl(`http://${text}`);
  if (!url) return undefined;
  const host = dropTrailingDot(url.hostname);
  return /^[\w-]+(?:\.[\w-]+)*$/.test(host) && !isAddress(host) ? host : undefined;
}

function dropTrailingDot(hostname: string): string {
  return hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
}

function matchesName(list: TargetList, hostname: string, port: number): boolean {
  const host = dropTrailingDot(hostname.toLowerCase());
  return list.some((entry) => {
    if (!isForPort(entry, port)) return false;
    if (entry.kind === "name") return entry.host === host;
    if (entry.kind === "suffix") return host.endsWith(entry.suffix) && host !== entry.suffix;
    return entry.kind === "any";
  });
}

function isInRange(list: TargetList, address: string, port: number): boolean {
  return list.some((entry) =>
    entry.kind === "range" && isForPort(entry, port) && isInCidr(address, entry.cidr)
  );
}

function hasRange(list: TargetList, port: number): boolean {
  return list.some((entry) => entry.kind === "range" && isForPort(entry, port));
}

function isForPort(entry: TargetEntry, port: number): boolean {
  return entry.port === undefined || entry.port === port;
}
