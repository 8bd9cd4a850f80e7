/**
 * Masks secrets in addresses, including addresses in a parameter of another address.
 * @module
 */

import { replaceKeyPaths, replaceSecretRuns, TOKENS, USERINFO } from "../../core/address/secret-runs.ts";
import type { Masker } from "./masker.ts";
import { isSecretName, isSecretParameter } from "../../core/address/secret-names.ts";

/** Maximum depth to which addresses in addresses are read; deeper ones are masked whole. */
const MAX_DEPTH = 4;
/** JSON members with a string value. */
const MEMBER = /("([^"\\]{1,100})"\s*:\s*")((?:[^"\\]|\\.)*)/g;
/** Characters of text that may hold an address, parameters or JSON. */
const NESTED = /[/?=@"]/;
/** A slash or `=` that is percent-encoded, once or more. */
const ENCODED = /%(?:25)*2f|%(?:25)*3d/i;

/**
 * Masks an address, whole or in part: userinfo, parameters that hold secrets, tokens, and long random runs.
 *
 * `https://u:p@a.test/?token=abc` → `https://***(3-bytes,1f0c)@a.test/?token=***(3-bytes,9f3c)`
 */
export function maskAddress(text: string, masker: Masker, depth = 0): string {
  const [, plain = "", fragment] = /^([^#]*)(?:#(.*))?$/s.exec(text) ?? [];
  const cut = plain.indexOf("?");
  const path = maskPath(cut < 0 ? plain : plain.slice(0, cut), masker, depth);
  const query = cut < 0 ? "" : `?${maskQuery(plain.slice(cut + 1), masker, depth)}`;
  return path + query + (fragment === undefined ? "" : `#${maskQuery(fragment, masker, depth)}`);
}

/** Masks tokens and members of JSON in any text. */
export function maskTokens(text: string, masker: Masker): string {
  if (text.includes('"')) {
    text = text.replace(
      MEMBER,
      (whole, start: string, name: string, value: string) =>
        isSecretName(name) ? start + masker.hideInAddress(value) : whole,
    );
  }
  return text.replace(TOKENS, (token) => masker.hideInAddress(token));
}

function maskPath(path: string, masker: Masker, depth: number): string {
  const open = path.replace(
    USERINFO,
    (_, start: string, user: string) => `${start}${masker.hideInAddress(user)}@`,
  );
  const parts = replaceKeyPaths(open, (key) => masker.hideInAddress(key)).split("/");
  return parts.map((part, index) => {
    if (isAuthority(parts, index)) return part;
    if (ENCODED.test(part)) return maskNested(part, masker, depth);
    if (!part.includes("=")) return maskRuns(part, masker);
    // Matrix parameters (RFC 3986 §3.3).
    return part.split(";").map((pair) => maskPair(pair, masker, depth)).join(";");
  }).join("/");
}

/** True for the part after `https://`, or `https:/`. */
function isAuthority(parts: readonly string[], index: number): boolean {
  const before = parts[index - 1] === "" ? parts[index - 2] : parts[index - 1];
  return before !== undefined && /^(?:https?|wss?):$/i.test(before);
}

function maskQuery(query: string, masker: Masker, depth: number): string {
  return query.split("&").map((pair) => maskPair(pair, masker, depth)).join("&");
}

function maskPair(pair: string, masker: Masker, depth: number): string {
  const cut = pair.indexOf("=");
  if (cut < 0) return maskNested(pair, masker, depth);
  const name = pair.slice(0, cut);
  const value = pair.slice(cut + 1);
  const isSecret = isSecretParameter(decode(name));
  return `${name}=${isSecret ? masker.hideInAddress(decode(value)) : maskNested(value, masker, depth)}`;
}

/** Masks a part that may be an address, parameters or JSON once it is decoded. */
function maskNested(text: string, masker: Masker, depth: number): string {
  const decoded = decode(text);
  if (!NESTED.test(decoded) && !ENCODED.test(decoded)) return maskRuns(text, masker);
  if (depth >= MAX_DEPTH) return masker.hideInAddress(decoded);
  const parts = decoded.split(";");
  const masked = maskTokens(
    parts.map((part) => maskAddress(part, masker, depth + 1)).join(";"),
    masker,
  );
  if (masked === decoded) return text;
  return decoded === text ? masked : encodeURIComponent(masked);
}

/** Masks tokens, then long random runs: in this order, because tokens contain such runs. */
function maskRuns(text: string, masker: Masker): string {
  return replaceSecretRuns(maskTokens(text, masker), (run) => masker.hideInAddress(run));
}

/** The text without percent-encoding, with `+` as a blank; if malformed, decoded byte by byte. */
function decode(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return unescape(text);
  }
}

/** Decodes each byte by itself. */
function unescape(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}
