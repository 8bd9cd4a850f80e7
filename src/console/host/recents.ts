/**
 * Recent hosts, stored in this browser. A target's page may share the origin, so the stored text is not trusted.
 * @module
 */

import { readStored, type Shelf, writeStored } from "../page/storage.ts";

const KEY = "fetchvia.hosts";
const MOST = 8;
const MAX_LENGTH = 2_000;

/** Reads the hosts, newest first. Anything but http and https addresses is ignored. */
export function readRecents(shelf: Shelf | undefined): string[] {
  const stored = readStored(shelf, KEY);
  return Array.isArray(stored) ? stored.slice(0, 99).filter(isBase).slice(0, MOST) : [];
}

/** Adds a host at the front. One that is there stays where it is: its button is under the pointer. */
export function addRecent(shelf: Shelf | undefined, host: string): string[] {
  const known = readRecents(shelf);
  return write(shelf, known.includes(host) ? known : [host, ...known]);
}

/** Removes a host. */
export function dropRecent(shelf: Shelf | undefined, host: string): string[] {
  return write(shelf, readRecents(shelf).filter((other) => other !== host));
}

function write(shelf: Shelf | undefined, hosts: string[]): string[] {
  const kept = hosts.filter(isBase).slice(0, MOST);
  writeStored(shelf, KEY, kept);
  return kept;
}

function isBase(host: unknown): host is string {
  return typeof host === "string" && host.length <= MAX_LENGTH && /^https?:\/\/[^/]/i.test(host) &&
    URL.canParse(host);
}
