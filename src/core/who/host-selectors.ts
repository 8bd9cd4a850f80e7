/**
 * Reads the three host selectors: header, cookie, host label.
 * @module
 */

import { decodePercent, decodeUtf8 } from "../http/text.ts";
import type { FieldReader } from "../http/fields.ts";
import { type Address, decodeBase } from "../address/address.ts";
import { readLabel } from "../address/authority.ts";
import type { Config } from "../settings/config.ts";
import { readCookie } from "../http/cookies.ts";
import { cannotUse, ProxyError } from "../http/error.ts";
import { findBaseFault } from "../address/fault.ts";
import { decodeLabel, findLabelFault } from "../address/label.ts";
import { MANY, memoize } from "../http/memo.ts";

const spellOut = memoize(decodeLabel, MANY);
/** One character per byte (Latin-1), with at least one beyond ASCII. */
const LATIN = /^[\0-\x7f]*[\x80-\xff][\0-\xff]*$/;
const EXPECTED = "a base address such as https://example.com, without query, fragment or credentials";

/** The base that each host selector names, read once; an error if it is malformed. */
export interface Carried {
  readonly header: Address | ProxyError | undefined;
  readonly cookie: Address | ProxyError | undefined;
  readonly label: Address | ProxyError | undefined;
}

/** Reads all three host selectors. Step 1 decides which one counts. */
export function readCarried(headers: FieldReader, host: string, config: Config): Carried {
  return {
    header: attempt(() => readHeaderBase(headers)),
    cookie: attempt(() => readCookieBase(headers)),
    label: attempt(() => readLabelBase(host, config)),
  };
}

/** True for a valid base. */
export function isBase(base: Address | ProxyError | undefined): base is Address {
  return base !== undefined && !(base instanceof ProxyError);
}

function attempt(read: () => Address | undefined): Address | ProxyError | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProxyError) return error;
    throw error;
  }
}

/**
 * Reads the base in the header `proxy_host` or its alias `proxy-host` (nginx drops names with `_`).
 *
 * @returns `undefined` without the header
 * @throws {ProxyError} `bad_request` when it is malformed or there is more than one
 */
export function readHeaderBase(headers: FieldReader): Address | undefined {
  const plain = headers.get("proxy_host");
  const alias = headers.get("proxy-host");
  if ((plain !== null && alias !== null && plain !== alias) || plain?.includes(",") || alias?.includes(",")) {
    throw cannotUse("header proxy_host", "it has more than one value", "one");
  }
  const text = plain ?? alias;
  return text === null ? undefined : parseBase(readUtf8(text), "header proxy_host");
}

/**
 * Reads the base in the cookie `proxy_host`, percent-encoded or raw.
 *
 * @returns `undefined` without the cookie
 * @throws {ProxyError} `bad_request` when it is malformed or there are two different ones
 */
export function readCookieBase(headers: FieldReader): Address | undefined {
  const cookie = headers.get("cookie");
  if (!cookie?.includes("proxy_host")) return undefined;
  const [value, ...others] = readCookie(cookie, "proxy_host").map(decodeCookie);
  if (value === undefined) return undefined;
  if (others.some((other) => other !== value)) {
    throw cannotUse("cookie proxy_host", "it has two different values", "one");
  }
  return parseBase(value, "cookie proxy_host");
}

/**
 * Reads the base in a Host of the form `<label>.w.{proxy_domain}`; configured labels come first.
 *
 * @returns `undefined` for every other Host
 * @throws {ProxyError} `bad_request` when the label encodes no host
 */
export function readLabelBase(host: string, config: Config): Address | undefined {
  const label = readLabel(host, config.proxyDomain);
  return label === undefined ? undefined : readBaseOf(label, `host label ${label}`, config);
}

/**
 * Reads the base that a label names (rules 1.12 to 1.14).
 *
 * @param culprit what a message calls the label
 * @throws {ProxyError} `bad_request` when it names none
 */
export function readBaseOf(
  label: string,
  culprit: string,
  { proxyLabels }: Pick<Config, "proxyLabels">,
): Address {
  const base = proxyLabels.get(label.toLowerCase()) ?? decodeBase(spellOut(label) ?? "");
  if (base) return base;
  throw cannotUse(culprit, `it ${findLabelFault(label)}`, "a label such as example-com");
}

function decodeCookie(value: string): string {
  return /^https?:\/\//i.test(value) ? readUtf8(value) : decodePercent(value) ?? value;
}

function parseBase(text: string, culprit: string): Address {
  const base = decodeBase(text);
  if (!base) throw refuseBase(culprit, findBaseFault(text));
  return base;
}

/** Makes the error for what is no base address. */
export function refuseBase(culprit: string, fault: string): ProxyError {
  return cannotUse(culprit, `it ${fault}`, EXPECTED);
}

/** Reads a field as UTF-8, which people type; runtimes read fields as Latin-1 (RFC 9110 §5.5). */
function readUtf8(text: string): string {
  if (!LATIN.test(text)) return text;
  return decodeUtf8(Uint8Array.from(text, (letter) => letter.charCodeAt(0))) ?? text;
}
