/**
 * IP addresses: strict parsing, a named verdict for each, and which verdicts a target may have.
 * @module
 */

import ipaddr from "ipaddr.js";
import { MANY, memoize } from "../http/memo.ts";

/** Whether a target may have this verdict: always, only if private targets are allowed, or never. */
export type VerdictClass = "public" | "private" | "never";

/** What an address is → whether a target may be there (rules 5.2 and 5.4). Settings and lists open only `private`. */
export const VERDICT_CLASSES = {
  public: "public",
  loopback: "private",
  /** `0.0.0.0` and `::` exactly: dialling them reaches loopback. */
  unspecified: "private",
  private: "private",
  cgnat: "private",
  unique_local: "private",
  benchmarking: "private",
  link_local: "never",
  /** Metadata and host services of clouds that lie outside the link-local ranges. */
  metadata: "never",
  multicast: "never",
  broadcast: "never",
  documentation: "never",
  reserved: "never",
  /** Not an address, or one spelled in a way that systems read differently (`127.1`, `0177.0.0.1`). */
  invalid: "never",
} as const satisfies Record<string, VerdictClass>;

/** What an address is, as a closed list. */
export type Verdict = keyof typeof VERDICT_CLASSES;

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Addresses that share their first bits; made by `decodeCidr` alone, so that IPv4-mapped ones are IPv4.
 *
 * @internal
 */
export type Cidr = readonly [base: IpAddress, bits: number];

interface Range {
  cidr: [IpAddress, number];
  /**
   * For a range with IPv4 inside: the verdict if all embedded IPv4 addresses are public; otherwise the worst of theirs.
   */
  verdict: Verdict;
  /** Takes the bytes of every IPv4 address out of the sixteen. */
  inside?: (bytes: number[]) => number[][];
}

type Row = [cidr: string, verdict: Verdict, inside?: Range["inside"]];

/** First match wins; anything else is public. {@link https://www.iana.org/assignments/iana-ipv4-special-registry} */
const readIpv4Ranges = rangesOf([
  ["0.0.0.0/32", "unspecified"],
  ["0.0.0.0/8", "reserved"], // RFC 791 §3.2
  ["10.0.0.0/8", "private"], // RFC 1918
  ["100.100.100.200/32", "metadata"], // Alibaba
  ["100.64.0.0/10", "cgnat"], // RFC 6598
  ["127.0.0.0/8", "loopback"], // RFC 1122 §3.2.1.3
  ["168.63.129.16/32", "metadata"], // Azure
  ["169.254.0.0/16", "link_local"], // RFC 3927
  ["172.16.0.0/12", "private"], // RFC 1918
  ["192.0.0.192/32", "metadata"], // Oracle
  ["192.0.0.0/24", "reserved"], // RFC 6890 §2.1
  ["192.0.2.0/24", "documentation"], // RFC 5737
  ["192.31.196.0/24", "reserved"], // AS112, RFC 7535
  ["192.52.193.0/24", "reserved"], // AMT, RFC 7450
  ["192.88.99.0/24", "reserved"], // 6to4 relays, RFC 7526
  ["192.168.0.0/16", "private"], // RFC 1918
  ["192.175.48.0/24", "reserved"], // AS112, RFC 7534
  ["198.18.0.0/15", "benchmarking"], // RFC 2544
  ["198.51.100.0/24", "documentation"], // RFC 5737
  ["203.0.113.0/24", "documentation"], // RFC 5737
  ["224.0.0.0/4", "multicast"], // RFC 5771
  ["255.255.255.255/32", "broadcast"], // RFC 919 §7
  ["240.0.0.0/4", "reserved"], // RFC 1112 §4
]);

const inLastBytes = (bytes: number[]) => [bytes.slice(12)];
const inTeredo = (bytes: number[]) => [bytes.slice(4, 8), bytes.slice(12).map((byte) => byte ^ 255)];

/** First match wins; anything else is reserved. {@link https://www.iana.org/assignments/iana-ipv6-special-registry} */
const readIpv6Ranges = rangesOf([
  ["::/128", "unspecified"],
  ["::1/128", "loopback"],
  ["::/96", "reserved", inLastBytes], // IPv4-compatible, RFC 4291 §2.5.5.1
  ["::ffff:0:0:0/96", "reserved", inLastBytes], // IPv4-translated, RFC 2765 §2.1
  ["64:ff9b::/96", "public", inLastBytes], // NAT64: what DNS64 gives for a public host, RFC 6052 §2.1
  ["64:ff9b:1::/96", "reserved", inLastBytes], // local NAT64; elsewhere in its /48 the layout is unknown, RFC 8215
  ["2001::/32", "reserved", inTeredo], // its server and its client, inverted, RFC 4380 §4
  ["2002::/16", "reserved", (bytes) => [bytes.slice(2, 6)]], // 6to4, RFC 3056 §2
  ["2001:2::/48", "benchmarking"], // RFC 5180
  ["2001::/23", "reserved"], // RFC 2928
  ["2001:db8::/32", "documentation"], // RFC 3849
  ["2620:4f:8000::/48", "reserved"], // AS112, RFC 7534
  ["3fff::/20", "documentation"], // RFC 9637
  ["2000::/3", "public"], // the only global unicast there is, RFC 4291 §2.4
  ["fd00:42::42/128", "metadata"], // Scaleway
  ["fd00:100::100:200/128", "metadata"], // Alibaba
  ["fd00:a9fe:a9fe::1/128", "metadata"], // Linode
  ["fd00:c1::a9fe:a9fe/128", "metadata"], // Oracle
  ["fd00:ec2::/32", "metadata"], // AWS: ::254, and ::23 of EKS
  ["fd20:ce::254/128", "metadata"], // Google
  ["fc00::/7", "unique_local"], // RFC 4193
  ["fe80::/10", "link_local"], // RFC 4291 §2.5.6
  ["ff00::/8", "multicast"], // RFC 4291 §2.7
]);

const MAPPED = ipaddr.IPv6.parseCIDR("::ffff:0:0/96"); // RFC 4291 §2.5.5.2

const FOUR_DECIMALS = /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){3}$/;
/** The longest spelling of an address: six groups and four decimals. */
const MAX_LENGTH = 45;

/**
 * Names what an address is, from the address alone. IPv4 inside IPv6 is judged as that IPv4; when it is public, only
 * the mapped form and NAT64 (`64:ff9b::/96`) are public too. An address with a zone id is of the class `never`.
 * @param address IPv4 as four decimals, or IPv6 with or without brackets and zone id.
 */
export const classifyAddress: (address: string) => Verdict = memoize((address) => {
  const decoded = decodeIp(address);
  if (decoded === undefined) return "invalid";
  const verdict = judgeAddress(decoded);
  return address.includes("%") && VERDICT_CLASSES[verdict] !== "never" ? "reserved" : verdict;
}, MANY);

/**
 * Lists what a connection to this address can reach: first itself as `normalizeAddress` shows it, then the IPv4
 * addresses inside it, or loopback for the unspecified address. Empty when it is not an address.
 */
export const unpackAddress: (address: string) => readonly string[] = memoize((address) => {
  const decoded = decodeIp(address);
  if (decoded === undefined) return [];
  const shown = decoded.toString();
  if (shown === "0.0.0.0") return [shown, "127.0.0.1"];
  if (shown === "::") return [shown, "::1", "127.0.0.1"];
  const inside = findRange(decoded)?.inside?.(decoded.toByteArray()) ?? [];
  return [shown, ...inside.map((bytes) => bytes.join("."))];
}, MANY);

/** True if this host (as `URL.hostname` gives it, or without brackets) is an IP address and not a name. */
export const isAddress: (host: string) => boolean = memoize(
  (host) => decodeIp(host) !== undefined,
  MANY,
);

/**
 * Normalises an address for display and comparison: no brackets, no zone id, IPv4-mapped IPv6 as IPv4, other IPv6 as in
 * RFC 5952 §4 (never with dotted decimals). `""` when it is not an address.
 */
export function normalizeAddress(address: string): string {
  return decodeIp(address)?.toString() ?? "";
}

/** The 4 or 16 bytes of an address; IPv4-mapped IPv6 has 4. `undefined` when it is not an address. */
export function addressBytes(address: string): readonly number[] | undefined {
  return decodeIp(address)?.toByteArray();
}

/** True for `localhost` and names below it, in lower case, with a trailing dot or without (RFC 6761 §6.3). */
export function isLocalhost(name: string): boolean {
  return /(?:^|[^.]\.)localhost\.?$/.test(name);
}

/**
 * True if every browser resolves this Host (without port) to this machine, so that no DNS answer can have led the
 * request here: `localhost`, `*.localhost` (RFC 6761 §6.3), `127.0.0.0/8`, `[::1]`. Case and one trailing dot are
 * ignored.
 */
export const isLoopbackHost: (host: string) => boolean = memoize((host) => {
  const lower = host.toLowerCase();
  if (isLocalhost(lower)) return true;
  const name = lower.replace(/\.$/, "");
  return name.startsWith("127.") ? isAddress(name) : normalizeAddress(name) === "::1";
}, MANY);

/**
 * Parses `<address>` or `<address>/<bits>`; a single address is a range of one. Bits after the prefix are 0 in the range.
 * `undefined` when malformed, for a zone id, and for mapped ranges wider than `::ffff:0:0/96`.
 */
export function decodeCidr(text: string): Cidr | undefined {
  const [, host = "", bits] = /^([^/%]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  const base = decodeIp(host);
  if (base === undefined) return undefined;
  const width = base.kind() === "ipv4" ? 32 : 128;
  const isMapped = width === 32 && host.includes(":");
  const length = bits === undefined ? width : Number(bits) - (isMapped ? 96 : 0);
  if (length < 0 || length > width) return undefined;
  const family = width === 32 ? ipaddr.IPv4 : ipaddr.IPv6;
  return [family.networkAddressFromCIDR(`${base}/${length}`), length];
}

/** True if the address is in the range. IPv4-mapped IPv6 counts as IPv4, and no IPv4 address is in an IPv6 range. */
export function isInCidr(address: string, [base, bits]: Cidr): boolean {
  const decoded = decodeIp(address);
  return decoded?.kind() === base.kind() && decoded.match(base, bits);
}

/** Parses the ranges when an address is first judged, because starting the proxy judges none. */
function rangesOf(rows: Row[]): () => readonly Range[] {
  let ranges: Range[] | undefined;
  return () =>
    ranges ??= rows.map(([cidr, verdict, inside]) => ({ cidr: ipaddr.parseCIDR(cidr), verdict, inside }));
}

function findRange(address: IpAddress): Range | undefined {
  const ranges = address.kind() === "ipv4" ? readIpv4Ranges() : readIpv6Ranges();
  return ranges.find(({ cidr }) => address.match(cidr));
}

function judgeAddress(address: IpAddress): Verdict {
  const range = findRange(address);
  if (range === undefined) return address.kind() === "ipv4" ? "public" : "reserved";
  const inside = range.inside?.(address.toByteArray()) ?? [];
  const verdicts = inside.map((bytes) => judgeAddress(new ipaddr.IPv4(bytes)));
  const findWorst = (worst: VerdictClass) => verdicts.find((verdict) => VERDICT_CLASSES[verdict] === worst);
  return findWorst("never") ?? findWorst("private") ?? range.verdict;
}

/** Reads an address; IPv4-mapped IPv6 becomes IPv4, a zone id is dropped. */
function decodeIp(text: string): IpAddress | undefined {
  const bare = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
  if (!bare.includes(":")) return bare === text ? decodeIpv4(text) : undefined;
  const [address = ""] = bare.split("%", 1);
  const decoded = address.length > MAX_LENGTH ? undefined : decodeIpv6(address);
  return decoded?.match(MAPPED) ? new ipaddr.IPv4(decoded.toByteArray().slice(12)) : decoded;
}

function decodeIpv4(text: string): ipaddr.IPv4 | undefined {
  // ipaddr.js finds out with an exception that a name is none, which takes as long as a small request.
  return FOUR_DECIMALS.test(text) && ipaddr.IPv4.isValid(text) ? ipaddr.IPv4.parse(text) : undefined;
}

function decodeIpv6(text: string): ipaddr.IPv6 | undefined {
  const tailStart = text.lastIndexOf(":") + 1;
  const tail = text.slice(tailStart);
  // ipaddr.js 2.5.0 reads `::1.2.3.4` as `::ffff:1.2.3.4`, and a leading zero as decimal: it gets hexadecimal only.
  if (tail.includes(".")) {
    const bytes = decodeIpv4(tail)?.toByteArray().map((byte) => byte.toString(16).padStart(2, "0"));
    if (bytes === undefined) return undefined;
    text = `${text.slice(0, tailStart)}${bytes.slice(0, 2).join("")}:${bytes.slice(2).join("")}`;
  }
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
}
