/**
 * Looks names up so that a silent name server does not block other names.
 *
 * `getaddrinfo` waits on a thread, and a process has few: on Node two unanswered names block all others, on Bun and
 * Deno some more. So this asks DNS directly, and the system only for names that DNS does not know.
 * @module
 */

import { lookup, Resolver } from "node:dns/promises";
import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

/** What RFC 6761 and RFC 6762 keep out of DNS, and names without a dot, to which the system adds its search list. */
const LOCAL = /^[^.]+$|\.local(?:host)?$/;
const HOSTS = process.platform === "win32"
  ? `${process.env["SystemRoot"]}\\System32\\drivers\\etc\\hosts`
  : "/etc/hosts";
/**
 * Milliseconds at first: c-ares cuts that to what a server takes otherwise, and a name that the server must ask for itself
 * may take ten times as long.
 */
const PATIENCE = { timeout: 5_000, tries: 4 };
/**
 * So many milliseconds AAAA may take behind A, where A is enough: some servers never answer it (RFC 8305 §3 has 50).
 */
const LATE_MS = 300;
/** The name servers of the system may change; after so many milliseconds they are read again. */
const FRESH_MS = 30_000;

let hosts = { changed: -1, names: new Map<string, string[]>() };
let servers = { resolver: new Resolver(PATIENCE), read: performance.now() };

/**
 * All addresses of a name: those of the hosts file, else of DNS (IPv4 first), else what the system finds elsewhere.
 *
 * @param isComplete whether AAAA is waited for, however late it is
 * @throws {Error} with a code where there is none: `ETIMEOUT` where the name servers are silent
 */
export async function lookUp(hostname: string, isComplete = false): Promise<string[]> {
  if (isIP(hostname)) return [hostname];
  const name = hostname.toLowerCase().replace(/\.$/, "");
  const listed = readHosts().get(name);
  if (listed) return listed;
  const found = LOCAL.test(name) ? [] : await askServers(name, isComplete);
  return found.length ? found : await askSystem(hostname);
}

/** The addresses of each name in a hosts file, in its order. */
export function parseHosts(text: string): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...listed] = line.replace(/#.*/, "").trim().toLowerCase().split(/\s+/);
    // An address with a zone is good for nothing but its own link.
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
    // A machine without one, or no permission to read it: the system is asked in the end.
  }
  return hosts.names;
}

async function askServers(name: string, isComplete: boolean): Promise<string[]> {
  // `Date.now()` could be set back, which would keep the old ones.
  if (performance.now() - servers.read > FRESH_MS) {
    servers = { resolver: new Resolver(PATIENCE), read: performance.now() };
  }
  const { resolver } = servers;
  return await joinAnswers(resolver.resolve4(name), resolver.resolve6(name), isComplete);
}

/**
 * The addresses of both kinds, IPv4 first; IPv6 alone is waited for as long as it takes.
 *
 * @param isComplete whether IPv4 is never enough
 * @throws {Error} `ETIMEOUT` where there is none, and a server was silent; where IPv4 is not enough, why there is no answer
 * to AAAA
 */
export async function joinAnswers(
  a: Promise<string[]>,
  aaaa: Promise<string[]>,
  isComplete = false,
): Promise<string[]> {
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
  return found;
}

/** The answer of a name server to one question. */
interface NameAnswer {
  found: string[];
  failure?: NodeJS.ErrnoException;
}

const NOTHING: NameAnswer = { found: [] };

/** True where the server has answered that there is no such address. */
function isNone({ code }: NodeJS.ErrnoException): boolean {
  return code === "ENODATA" || code === "ENOTFOUND";
}

function settle(asked: Promise<string[]>): Promise<NameAnswer> {
  return asked.then((found) => ({ found }), (failure) => ({ found: [], failure }));
}

async function askSystem(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}
