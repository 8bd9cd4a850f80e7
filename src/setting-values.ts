/**
 * Reads the texts of settings; each reader gives `undefined` for what it does not take.
 * @module
 */

import { type Address, decodeBase } from "./address.ts";
import { type Cidr, decodeCidr } from "./ip.ts";

/** So many requests in so many seconds. */
export interface RateLimit {
  requests: number;
  seconds: number;
}

const BOOLEANS = new Map([["true", true], ["1", true], ["false", false], ["0", false]]);
/** Timers of every runtime overflow beyond that: 24 days. */
export const MOST_MS = 2_147_483_647;
const MOST_SECONDS = Math.floor(MOST_MS / 1_000);
/** Whole numbers are read up to this many. */
export const MOST_BYTES = 999_999_999_999_999;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Reads a domain name; it is lower-case then. */
export function parseDomain(text: string): string | undefined {
  const domain = text.toLowerCase().replace(/\.$/, "");
  return domain.length <= 253 && domain.split(".").every((part) => LABEL.test(part)) ? domain : undefined;
}

/** Reads a whole number within borders. */
export function parseInteger(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  return value >= least && value <= most ? value : undefined;
}

/** Reads `true` and `false`, also as `1` and `0`. */
export function parseBoolean(text: string): boolean | undefined {
  return BOOLEANS.get(text.toLowerCase());
}

/** Reads `label=base,…`; labels are lower-case then. */
export function parseLabels(text: string): ReadonlyMap<string, Address> | undefined {
  const labels = new Map<string, Address>();
  for (const entry of text.split(",").map((part) => part.trim()).filter(Boolean)) {
    const cut = entry.indexOf("=");
    const label = entry.slice(0, Math.max(cut, 0)).toLowerCase();
    const base = decodeBase(entry.slice(cut + 1));
    if (!LABEL.test(label) || !base || labels.has(label)) return undefined;
    labels.set(label, base);
  }
  return labels;
}

/** Reads a list of addresses and CIDRs. */
export function parseCidrs(text: string): readonly Cidr[] | undefined {
  const cidrs = text.split(",").map((part) => decodeCidr(part.trim()));
  return cidrs.every((cidr) => cidr !== undefined) ? cidrs : undefined;
}

/** Reads the address of a Redis server; its path is the number of a database. */
export function parseStore(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isStore = url && /^rediss?:$/.test(url.protocol) && url.hostname &&
    /^(?:\/\d{0,4})?$/.test(url.pathname);
  return isStore && !url.search && !url.hash ? text : undefined;
}

/** Reads `100/60s`; minutes (`m`) and hours (`h`) too, at most 24 days. */
export function parseRateLimit(text: string): RateLimit | undefined {
  const [, requests = 0, time = 0, unit = "s"] = /^(\d{1,9})\/(\d{1,6})(s|m|h)?$/.exec(text) ?? [];
  const seconds = Number(time) * ({ s: 1, m: 60, h: 3600 }[unit] ?? 1);
  const isUsable = Number(requests) > 0 && seconds > 0 && seconds <= MOST_SECONDS;
  return isUsable ? { requests: Number(requests), seconds } : undefined;
}
