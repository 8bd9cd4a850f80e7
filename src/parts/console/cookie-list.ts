/**
 * Parses cookies in headers, for people and for HAR.
 * @module
 * @see RFC 6265bis §4.2.1 (`Cookie`), §5.6 (`Set-Cookie`, as browsers read it)
 */

import { trimBlanks } from "../../core/http/cookies.ts";

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
  switch (name.toLowerCase()) {
    case "":
      return;
    case "path":
      cookie.path = value;
      return;
    case "domain":
      cookie.domain = value;
      return;
    case "expires":
      cookie.expires = value;
      return;
    case "max-age":
      cookie.maxAge = value;
      return;
    case "httponly":
      cookie.httpOnly = true;
      return;
    case "secure":
      cookie.secure = true;
      return;
    case "samesite":
      cookie.sameSite = value;
      return;
    default:
      (cookie.others ??= []).push(attribute);
  }
}
