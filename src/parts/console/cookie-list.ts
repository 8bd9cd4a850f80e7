/**
 * Parses cookies in headers, for people and for HAR, and says why the proxy withheld one.
 * @module
 * @see RFC 6265bis §4.2.1 (`Cookie`), §5.6 (`Set-Cookie`, as browsers read it)
 */

import { trimBlanks } from "../../core/http/cookies.ts";
import { findCookieFault } from "../../core/http/refused-cookie.ts";
import type { CapturedRequest } from "../capture/capture.ts";

/** Names and addresses that browsers trust over plain http too. */
const LOOPBACK = /^(?:(?:.*\.)?localhost|127\.[\d.]+|\[::1\])$/;
const TELLS_HOST = /^(?:x-forwarded-)?host$/i;

/** A cookie of a request. */
export interface SentCookie {
  name: string;
  value: string;
}

/** A cookie of a response. */
export interface SetCookie extends SentCookie {
  path?: string;
  domain?: string;
  /** As written in the header. */
  expires?: string;
  /** Seconds. */
  maxAge?: string;
  httpOnly?: boolean;
  secure?: boolean;
  sameSite?: string;
  /** Unknown attributes, as written in the header. */
  others?: string[];
}

/** Attributes that are texts, by their lower-case names. */
const TEXTS = {
  path: "path",
  domain: "domain",
  expires: "expires",
  "max-age": "maxAge",
  samesite: "sameSite",
} as const;

/** Reads a `Cookie` header. A part without `=` is a value without a name, as browsers send it. */
export function readCookies(value: string): SentCookie[] {
  return value.split(";").filter((part) => trimBlanks(part) !== "").map(readPair);
}

/** Reads one `Set-Cookie` line. If an attribute is repeated, the last one counts. */
export function readSetCookie(line: string): SetCookie {
  const [pair = "", ...attributes] = line.split(";");
  const cookie: SetCookie = readPair(pair);
  for (const attribute of attributes) readAttribute(cookie, trimBlanks(attribute));
  return cookie;
}

function readPair(part: string): SentCookie {
  const cut = part.indexOf("=");
  return { name: trimBlanks(part.slice(0, Math.max(0, cut))), value: trimBlanks(part.slice(cut + 1)) };
}

function readAttribute(cookie: SetCookie, attribute: string): void {
  const { name, value } = attribute.includes("=") ? readPair(attribute) : { name: attribute, value: "" };
  const key = name.toLowerCase();
  if (key === "") return;
  if (Object.hasOwn(TEXTS, key)) cookie[TEXTS[key as keyof typeof TEXTS]] = value;
  else if (key === "httponly") cookie.httpOnly = true;
  else if (key === "secure") cookie.secure = true;
  else (cookie.others ??= []).push(attribute);
}

/**
 * Why the proxy withheld a cookie that a browser would refuse, such as `it is SameSite=None without Secure`; `undefined` for one that was
 * passed on.
 */
export function findWithheld(line: string, { url, headers }: CapturedRequest): string | undefined {
  const { protocol, hostname } = new URL(url);
  const told = headers.filter(([name]) => TELLS_HOST.test(name)).map(([, host]) => host.replace(/:\d*$/, ""));
  // A target that gets the caller's own host is trusted like the caller, who is not known here.
  const isLoopback = LOOPBACK.test(hostname);
  const isTrusted = protocol === "https:" || isLoopback ||
    told.some((host) => host !== hostname);
  return findCookieFault(line, { hosts: isLoopback ? [] : [hostname, ...told], isTrusted });
}
