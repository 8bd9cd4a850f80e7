/**
 * Parses the text of settings; each parser returns `undefined` for bad text.
 * @module
 */

import { parseUrl } from "../address/url.ts";
import { findNearest } from "./nearest.ts";

/**
 * Maximum number of requests per time window.
 *
 * @internal
 */
export interface RateLimit {
  requests: number;
  seconds: number;
}

/**
 * Where decisions are recorded.
 *
 * @internal
 */
export interface Audit {
  /** `stderr`, the path of a file, or a function that takes each line. */
  readonly to: string | ((line: string) => unknown);
  /** True to go on with a request whose decision cannot be recorded. */
  readonly isLoose: boolean;
}

const BOOLEANS = new Map([["true", true], ["1", true], ["false", false], ["0", false]]);
/** The longest timer of every runtime: 24 days. */
export const MOST_MS = 2_147_483_647;
const MOST_SECONDS = Math.floor(MOST_MS / 1_000);
/** The largest whole number that is accepted. */
export const MOST = 999_999_999_999_999;
/** One part of a domain name. */
export const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** A host that ends in a number is an IPv4 address, not a name (WHATWG URL §3.5). */
const NUMBER = /(?:^|\.)\d+$/;

/** Parses a domain name, normalised as browsers write it in `Host`. */
export function parseDomain(text: string): string | undefined {
  const url = `http://${text.replace(/\.$/, "")}`;
  const domain = /^[^/?#@:\\\s]+$/.test(text) ? parseUrl(url)?.hostname ?? "" : "";
  const isName = domain.length <= 253 && domain.split(".").every((part) => LABEL.test(part));
  return isName && !NUMBER.test(domain) ? domain : undefined;
}

/** Parses a whole number in a range. */
export function parseInteger(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  return value >= least && value <= most ? value : undefined;
}

/** Describes and parses a setting that is a whole number in a range. */
export function wholeNumber(least: number, most: number, of = "") {
  return {
    expected: `a whole number ${of}from ${least} to ${most}`,
    parse: (text: string) => parseInteger(text, least, most),
  };
}

/** Describes and parses a setting that is one of these words. */
export function oneOf<const Word extends string>(...words: readonly Word[]) {
  return {
    expected: words.join(", ").replace(/, (\w+)$/, " or $1"),
    parse: (text: string) => words.find((word) => word === text.toLowerCase()),
  };
}

/** The bytes of 1 MiB. */
export const MEBIBYTE = 1_048_576;
const UNITS = new Map([["", 1], ["kib", 1_024], ["mib", MEBIBYTE], ["gib", 1_073_741_824]]);

/** Parses a size in bytes, also with the units `KiB`, `MiB` and `GiB` (IEC 80000-13), in a range. */
export function parseSize(text: string, least: number, most: number): number | undefined {
  const [, count = "", unit = ""] = /^(\d{1,12}) ?([kmg]ib)?$/i.exec(text) ?? [];
  const bytes = count === "" ? NaN : Number(count) * UNITS.get(unit.toLowerCase())!;
  return bytes >= least && bytes <= most ? bytes : undefined;
}

/** Parses what capture keeps: `off`, `console`, `heads`, or how many bytes of a body. */
export function parseCapture(text: string): "off" | "console" | "heads" | number | undefined {
  const word = text.toLowerCase();
  return word === "off" || word === "console" || word === "heads" ? word : parseSize(text, 1, 16 * MEBIBYTE);
}

/** Parses `true` and `false`, also `1` and `0`. */
export function parseBoolean(text: string): boolean | undefined {
  return BOOLEANS.get(text.toLowerCase());
}

/** Describes and parses a setting that is on or off. */
export const SWITCH = { expected: "true or false", parse: parseBoolean };

/** Parses the address of a Redis server; its path is a database number. */
export function parseStore(text: string): string | undefined {
  const url = parseUrl(text);
  const isStore = url && /^rediss?:$/.test(url.protocol) && url.hostname &&
    /^(?:\/\d{0,4})?$/.test(url.pathname);
  return isStore && !url.search && !url.hash ? text : undefined;
}

/** Parses `100/60s`, also with minutes (`m`) and hours (`h`); at most 24 days. */
export function parseRateLimit(text: string): RateLimit | undefined {
  const [, requests = 0, time = 0, unit = "s"] = /^(\d{1,9})\/(\d{1,7})(s|m|h)?$/.exec(text) ?? [];
  const seconds = Number(time) * ({ s: 1, m: 60, h: 3600 }[unit] ?? 1);
  const isUsable = Number(requests) > 0 && seconds > 0 && seconds <= MOST_SECONDS;
  return isUsable ? { requests: Number(requests), seconds } : undefined;
}

/** Letters, digits and a few marks, because ids appear in logs, lists and keys of a store. */
const ID = /^[A-Za-z0-9][\w.:@+-]{0,63}$/;

/** True for the id of a caller's token. */
export function isTokenId(text: string): boolean {
  return ID.test(text);
}

/** Precedes the name of a file. No id begins with it. */
const FILE_MARK = "@";

/** The file that an entry of `REVOKED_TOKENS` names; `undefined` for an id. */
export function revokedFileOf(entry: string): string | undefined {
  return entry.startsWith(FILE_MARK) && entry.length > 1 ? entry.slice(1) : undefined;
}

/** What elsewhere is a switch, a stream or a quoted text. A file of such a name is written `./off`. */
const NO_FILE = /^(?:on|off|true|false|yes|no|none|[01-]|stdout|".*"|'.*')$/is;

/** Parses where decisions are recorded: a file or `stderr`, and whether requests go on where that fails. */
export function parseAudit(text: string): Audit | undefined {
  const [, start = text, word] = /^(.*),([^,]*)$/s.exec(text) ?? [];
  const isLoose = word?.trim().toLowerCase() === "loose";
  const to = isLoose ? start.trimEnd() : text;
  // No file is made for a misspelt word.
  const isMisspelt = word !== undefined && !isLoose &&
    (word.trim() === "" || start.trimEnd() === "stderr" || findNearest(word.trim(), ["loose"]) !== undefined);
  return to === "" || isMisspelt || NO_FILE.test(to) || /[\0\n]/.test(to) ? undefined : { to, isLoose };
}
