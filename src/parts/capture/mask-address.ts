/**
 * Masks secrets in addresses, including addresses in a parameter of another address.
 * @module
 */

import {
  replaceKeyPaths,
  replaceMembers,
  replaceNamedParts,
  replaceSecretRuns,
  replaceUserinfo,
  TOKENS,
} from "../../core/address/secret-runs.ts";
import { decodePercent } from "../../core/http/text.ts";
import type { Masker } from "./masker.ts";
import { isSecretParameter } from "../../core/address/secret-names.ts";

/** Maximum depth to which addresses in addresses are read; deeper ones are masked whole. */
const MAX_DEPTH = 4;
/** Characters of text that may hold an address, parameters or JSON. */
const NESTED = /[/?=@"]/;
/** A slash, `=`, `"` or `@` that is percent-encoded, once or more. */
const ENCODED = /%(?:25)*(?:2[2f]|3d|40)/i;

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
  if (fragment === undefined) return path + query;
  // Pages that are scripts have paths and queries of their own in it.
  const parts = fragment.split("?").map((part) => maskQuery(part, masker, depth));
  return `${path + query}#${parts.join("?")}`;
}

/** Masks tokens and members of JSON in any text. */
export function maskTokens(text: string, masker: Masker): string {
  const open = replaceMembers(text, (secret, isText) => {
    const mask = masker.hideInAddress(secret);
    return isText ? mask : `"${mask}"`;
  });
  return open.replace(TOKENS, (token) => masker.hideInAddress(token));
}

function maskUser(text: string, masker: Masker): string {
  return replaceUserinfo(text, (user) => masker.hideInAddress(user));
}

function maskPath(path: string, masker: Masker, depth: number): string {
  const hide = (secret: string) => masker.hideInAddress(secret);
  const parts = replaceNamedParts(replaceKeyPaths(maskUser(path, masker), hide), hide).split("/");
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

function maskPair(text: string, masker: Masker, depth: number): string {
  // Before anything is decoded: a password may have a `=`, a `+` or a `%2F` in it.
  const open = maskUser(text, masker);
  for (const pair of [text, open]) {
    const cut = pair.indexOf("=");
    const name = pair.slice(0, Math.max(cut, 0));
    if (!isSecretParameter(lastName(decode(name)))) continue;
    return `${maskUser(name, masker)}=${masker.hideInAddress(decode(pair.slice(cut + 1)))}`;
  }
  const cut = open.indexOf("=") + 1;
  return open.slice(0, cut) + maskNested(open.slice(cut), masker, depth);
}

/** The name without blanks around it, and without what stands before it where `&amp;` or `;` separates parameters. */
function lastName(text: string): string {
  return text.slice(Math.max(...[..."&;?"].map((sign) => text.lastIndexOf(sign))) + 1).trim();
}

/** Masks a part that may be an address, parameters or JSON once it is decoded. */
function maskNested(text: string, masker: Masker, depth: number): string {
  const plain = decode(text);
  const decoded = maskUser(plain, masker);
  if (!NESTED.test(decoded) && !ENCODED.test(decoded)) return maskRuns(text, masker);
  if (depth >= MAX_DEPTH) return masker.hideInAddress(decoded);
  const parts = decoded.split(";");
  const masked = maskTokens(
    parts.map((part) => maskAddress(part, masker, depth + 1)).join(";"),
    masker,
  );
  if (masked === plain) return text;
  return plain === text ? masked : encodeURIComponent(masked);
}

/** Masks tokens, then long random runs: in this order, because tokens contain such runs. */
function maskRuns(text: string, masker: Masker): string {
  return replaceSecretRuns(maskTokens(text, masker), (run) => masker.hideInAddress(run));
}

/** The text without percent-encoding, with `+` as a blank; if malformed, decoded byte by byte. */
function decode(text: string): string {
  if (!/[%+]/.test(text)) return text;
  return decodePercent(text.replaceAll("+", " ")) ?? unescape(text);
}

/** Decodes each byte by itself. */
function unescape(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}
