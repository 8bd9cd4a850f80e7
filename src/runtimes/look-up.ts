/**
 * Looks names up without letting a silent name server hold up the names of others.
 *
 * `getaddrinfo` waits on a thread, of which a process has few: on Node two unanswered names keep every other one
 * waiting, on Bun and Deno it takes some more. So DNS is asked directly, and the system only for what DNS does not know.
 * @module
 */

import { lookup, Resolver } from "node:dns/promises";
import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import process from "node:process";

/** What RFC 6761 and RFC 6762 keep out of DNS, and names without a dot, to which the system adds its search list. */
const LOCAL = /^[^.]+$|\.local(?:host)?$/;
const HOSTS = process.platform === "win32"
  ? `${process.env["SystemRoot"]}\\System32\\drivers\\etc\\hosts`
  : "/etc/hosts";
/** As `getaddrinfo` asks: each server twice, five seconds long. */
const PATIENCE = { timeout: 5_000, tries: 2 };
/** The name servers of the system may change; after so many milliseconds they are read again. */
const FRESH_MS = 30_000;

let hosts = { changed: -1, names: new Map<string, string[]>() };
let servers = { resolver: new Resolver(PATIENCE), read: Date.now() };

/**
 * All addresses of a name: those of the hosts file, else of DNS (IPv4 first), else what the system finds elsewhere.
 *
 * @throws {Error} with a code where there is none: `ETIMEOUT` where the name servers are silent
 */
export async function lookUp(hostname: string): Promise<string[]> {
  if (isIP(hostname)) return [hostname];
  const name = hostname.toLowerCase().replace(/\.$/, "");
  const listed = readHosts().get(name);
  if (listed) return listed;
  const found = LOCAL.test(name) ? [] : await askServers(name);
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

async function askServers(name: string): Promise<string[]> {
  if (Date.now() - servers.read > FRESH_MS) {
    servers = { resolver: new Resolver(PATIENCE), read: Date.now() };
  }
  const { resolver } = servers;
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = answers.flatMap((answer) => answer.status === "fulfilled" ? answer.value : []);
  if (found.length) return found;
  for (const answer of answers) {
    if (answer.status === "rejected" && answer.reason.code === "ETIMEOUT") throw answer.reason;
  }
  return [];
}

async function askSystem(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}
