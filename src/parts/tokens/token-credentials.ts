/**
 * Finds callers' tokens in headers meant for keys, and keeps those tokens from targets (rule 10.2).
 * @module
 */

import { decodeBase64 } from "../../core/address/arg.ts";
import { ProxyError } from "../../core/http/error.ts";
import { Fields } from "../../core/http/fields.ts";
import { TOKEN_PREFIX } from "./token.ts";

/** A token inside of a longer text. */
const INSIDE = /fv1\.[\w-]+\.[\w-]{43}/;
/** A scheme and its credentials (RFC 9110 §11.4). */
const CREDENTIALS = /^([\w-]+) +(\S+)$/;

/** The tokens in the value of a header: alone, after a scheme, or as user or password of Basic. */
export function listTokens(value: string): string[] {
  const [, scheme = "", rest = value] = CREDENTIALS.exec(value) ?? [];
  const parts = scheme.toLowerCase() === "basic" ? readBasic(rest).split(":") : [rest];
  return parts.filter((part) => part.startsWith(TOKEN_PREFIX));
}

/**
 * Keeps tokens from a target: drops headers that hold one, and refuses an address that holds one.
 *
 * @throws {ProxyError} `bad_request`
 */
export function hideTokens(headers: Fields, path: string): void {
  dropTokens(headers);
  refuseTokenIn(path);
}

/** Drops every header that holds any caller's token; from `Cookie`, only the cookies that hold one. */
export function dropTokens(headers: Fields): void {
  let isFound = false;
  headers.forEach((value) => void (isFound ||= holdsToken(value)));
  if (!isFound) return;
  const lines = new Fields(headers);
  headers.clear();
  lines.forEach((value, name, written) => {
    const kept = holdsToken(value) ? keepOthers(name, value) : value;
    if (kept !== undefined) headers.append(name, kept, written);
  });
}

function keepOthers(name: string, value: string): string | undefined {
  if (name !== "cookie") return undefined;
  return value.split(";").filter((part) => !holdsToken(part)).join(";").trim() || undefined;
}

/**
 * Refuses an address with a token in it: the target would see it.
 *
 * @throws {ProxyError} `bad_request`
 */
export function refuseTokenIn(path: string): void {
  if (!/fv1(?:\.|%2e)/i.test(path) || !INSIDE.test(path.replace(/%2e/gi, "."))) return;
  throw new ProxyError(
    "bad_request",
    "Cannot send this request: its address holds a caller's token, which the target would see. " +
      "Send it in the header proxy_token",
  );
}

function holdsToken(value: string): boolean {
  if (value.includes(TOKEN_PREFIX)) return INSIDE.test(value);
  return /^basic /i.test(value) && listTokens(value).length > 0;
}

function readBasic(text: string): string {
  const bytes = decodeBase64(text);
  return bytes ? new TextDecoder().decode(bytes) : "";
}
