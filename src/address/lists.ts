/**
 * The lists `ALLOW_TARGETS` and `DENY_TARGETS`: reads them, and judges a target by its name, then by its addresses.
 * @module
 */

import { type Cidr, decodeCidr, isAddress, isInCidr, unpackAddress } from "./ip.ts";

/** One entry; without a `port` it stands for every port. */
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

/** Both lists. An empty `allow` allows every target; what `deny` names is refused even so. */
export interface TargetLists {
  allow: TargetList;
  deny: TargetList;
}

/** `needs_addresses`: the name does not decide; ask DNS, then `judgeAddresses`. Where there is no DNS, refuse. */
export type NameJudgement = "allowed" | "refused" | "needs_addresses";

/**
 * Reads the entries of a list, each a host name, `*.suffix`, `*`, an address or a CIDR, with an optional `:port`. IPv6
 * needs brackets to have a port (`[::1]:80`, `[fd00::]/8:443`).
 * @returns `undefined` when an entry is malformed or empty, so that no slip opens a list.
 */
export function decodeTargetList(texts: readonly string[]): TargetList | undefined {
  const entries = texts.map(decodeEntry);
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

/** Reads a list that may not be empty: to the proxy that would mean every target, to whoever wrote it perhaps none. */
export function decodeSomeTargets(texts: readonly string[]): TargetList | undefined {
  return texts.length > 0 ? decodeTargetList(texts) : undefined;
}

/** Reads a list that names what it opens: `*` is refused. */
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

/** IPv6 with a port stands in brackets. */
function formatCidr([base, bits]: Cidr, hasPort: boolean): string {
  const isWide = base.kind() === "ipv6";
  const address = isWide && hasPort ? `[${base.toString()}]` : base.toString();
  return bits === (isWide ? 128 : 32) ? address : `${address}/${bits}`;
}

/**
 * Phase one: by the name as written, so that DNS is not asked for a name that no entry can allow. An address in place
 * of a name is judged at once. `allowed` says nothing of private addresses: see `permitsPrivate`.
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
 * Phase two: by the name and all addresses that it resolves to; sound without phase one. Refused when a range of `deny`
 * has any address, or IPv4 inside one (NAT64, 6to4 …). Where only ranges of `allow` could allow it, they must have all
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
 * Does an entry name this host, or a range that this address is in, so that the address may be private even where
 * private targets are refused. `*` and suffixes never do. To be asked for each private address of an allowed target.
 */
export function permitsPrivate(allow: TargetList, hostname: string, port: number, address: string): boolean {
  const named = allow.filter(({ kind }) => kind === "name");
  return matchesName(named, hostname, port) || isInRange(allow, address, port);
}

/** True where an entry names the host itself, a suffix of it, or a range that the address is in. */
export function isNamed(list: TargetList, hostname: string, port: number, address: string): boolean {
  return list.length > 0 && (matchesName(list, hostname, port) || isInRange(list, address, port));
}

/** True where an AAAA may decide what an A does not: an entry is a range of IPv6, for whatever port. */
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

/** Folds a name as `new URL` folds the target's (case, IDN); `undefined` for no name and for one that is an address. */
function decodeName(text: string): string | undefined {
  if (/[\s/?#@\\:%]/.test(text) || !URL.canParse(`http://${text}`)) return undefined;
  const host = dropTrailingDot(new URL(`http://${text}`).hostname);
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
