/**
 * Resolves names so that a silent name server does not block other names.
 *
 * `getaddrinfo` waits on a thread, and a process has few: on Node two unanswered names block all others, on Bun and
 * Deno a few more. So this module asks DNS directly, and the system only for names that DNS does not know.
 * @module
 */

import type { RecordWithTtl } from "node:dns";
import { lookup, Resolver } from "node:dns/promises";
import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Addresses } from "../../core/address/dns-cache.ts";

/** Names outside DNS (RFC 6761, RFC 6762), and names without a dot, to which the system adds its search list. */
const LOCAL = /^[^.]+$|\.local(?:host)?$/;
const HOSTS = process.platform === "win32"
  ? `${process.env["SystemRoot"]}\\System32\\drivers\\etc\\hosts`
  : "/etc/hosts";
/**
 * The first timeout in milliseconds. c-ares shortens it to the usual time of a server, but a name that the server must
 * resolve itself may take ten times as long.
 */
const PATIENCE = { timeout: 5_000, tries: 4 };
/**
 * Milliseconds to wait for AAAA after A, if A is enough: some servers never answer AAAA (RFC 8305 §3 recommends 50).
 */
const LATE_MS = 300;
/** The system's name servers may change; they are read again after this many milliseconds. */
const FRESH_MS = 30_000;

let hosts = { changed: -1, names: new Map<string, string[]>() };
let servers = readServers();

/** A resolver, used once per name: some resolvers cache results, but a repeated look-up wants the current addresses. */
function readServers() {
  // Not `Date.now()`: if the clock were set back, the old name servers would stay in use.
  return { resolver: new Resolver(PATIENCE), read: performance.now(), asked: new Set<string>() };
}

/**
 * All addresses of a name: from the hosts file, else from DNS (IPv4 first), else from the system.
 *
 * @param isComplete whether to wait for AAAA, however late it is
 * @throws {Error} with a code if there are none: `ETIMEOUT` if the name servers are silent
 */
export async function lookUp(hostname: string, isComplete = false): Promise<Addresses> {
  if (isIP(hostname)) return [hostname];
  const name = hostname.toLowerCase().replace(/\.$/, "");
  const listed = readHosts().get(name);
  if (listed) return listed;
  const found = LOCAL.test(name) ? [] : await askServers(name, isComplete);
  return found.length ? found : await askSystem(hostname);
}

/** The addresses of each name in a hosts file, in order. */
export function parseHosts(text: string): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...listed] = line.replace(/#.*/, "").trim().toLowerCase().split(/\s+/);
    // An address with a zone is valid on its own link only.
    if (!isIP(address) || address.includes("%")) continue;
    for (const name of listed) names.set(name, [...new Set([...names.get(name) ?? [], address])]);
  }
  return names;
}

function readHosts(): Map<string, string[]> {
  try {
    const { mtimeMs: changed } = statSync(HOSTS);
    if (changed !== hosts.changed) hosts = { changed, names: parseHosts(readFileSync(HOSTS, "utf8")) };
  } catch {
    // The file is missing or unreadable. The system is asked later anyway.
  }
  return hosts.names;
}

async function askServers(name: string, isComplete: boolean): Promise<Addresses> {
  const isFresh = performance.now() - servers.read <= FRESH_MS && !servers.asked.has(name);
  if (!isFresh) servers = readServers();
  const { resolver, asked: names } = servers;
  names.add(name);
  const asked = { ttl: true } as const;
  return await joinAnswers(resolver.resolve4(name, asked), resolver.resolve6(name, asked), isComplete);
}

/**
 * The addresses of both kinds, IPv4 first. Without IPv4 it waits for IPv6 without a limit of its own.
 *
 * @param isComplete true if IPv4 alone is never enough
 * @throws {Error} `ETIMEOUT` if there are no addresses and a server was silent; if IPv4 is not enough, the failure of
 * AAAA
 */
export async function joinAnswers(
  a: Promise<RecordWithTtl[]>,
  aaaa: Promise<RecordWithTtl[]>,
  isComplete = false,
): Promise<Addresses> {
  const later = settle(aaaa);
  const first = await settle(a);
  const isEnough = first.found.length > 0 && !isComplete;
  const second = isEnough
    ? await Promise.race([later, sleep(LATE_MS, NOTHING, { ref: false })])
    : await later;
  if (isComplete && second.failure && !isNone(second.failure)) throw second.failure;
  const found = [...first.found, ...second.found];
  const silence = [first, second].find(({ failure }) => failure?.code === "ETIMEOUT");
  if (silence && found.length === 0) throw silence.failure;
  const ttlMs = Math.min(...found.map(({ ttl }) => ttl)) * 1_000;
  return Object.assign(found.map(({ address }) => address), { ttlMs });
}

/** A name server's reply to one query. */
interface NameAnswer {
  found: RecordWithTtl[];
  failure?: NodeJS.ErrnoException;
}

const NOTHING: NameAnswer = { found: [] };

/** True if the server replied that there is no such address. */
function isNone({ code }: NodeJS.ErrnoException): boolean {
  return code === "ENODATA" || code === "ENOTFOUND";
}

function settle(asked: Promise<RecordWithTtl[]>): Promise<NameAnswer> {
  return asked.then((found) => ({ found }), (failure) => ({ found: [], failure }));
}

async function askSystem(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}
