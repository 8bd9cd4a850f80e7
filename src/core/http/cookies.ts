/**
 * Reads and filters a `Cookie` field without re-serialising it: all cookies but the proxy's own stay byte for byte.
 * @module
 */

/**
 * The carrier prefix for plain http, where browsers refuse prefixed names: `__Host-sid` is stored as
 * `proxy_carried__Host-sid`. It contains the whole name, case included, so two names never become one. No target can
 * set such a name itself (see `rewriteSetCookie`), so each one was a prefixed name before.
 * @see RFC 6265bis §5.4
 */
export const CARRIER = "proxy_carried";

/**
 * The carrier prefix for a `__Host-` name over https if its `Path` is not `/`. Browsers accept such a name only over
 * https, so an attacker on the network cannot plant one.
 */
export const SECURE_CARRIER: string = `__Secure-${CARRIER}`;

// Case-sensitive: browsers send a name as it was set, and only these spellings are read. A carried name of the proxy's
// own cookies was set by a script, never by `Set-Cookie`. Restoring it would reveal the cookie to the target.
const OWN_NAME =
  /^(?:(?:__Secure-)?proxy_carried)?(?:__(?:Host|Secure|Http|Host-Http)-)?proxy_(?:(?:host|token|auth|back|page|seal)$|at_|set_)/;
/** Cookies that the proxy stores for hosts. */
const OF_HOSTS = /^(?:__Secure-)?proxy_(?:at_|set_|auth$)/;
const CARRIED = /(^|;)([ \t]*)proxy_carried(?=__[^;=]*=)/g;
const SECURELY_CARRIED = /(^|;)([ \t]*)__Secure-proxy_carried(?=__[^;=]*=)/g;

/**
 * Reads the values of a cookie in order. There are several if a longer path or a sibling domain set it too.
 *
 * @param header `null` when the request has no `Cookie`
 * @param name the exact name (case-sensitive)
 * @returns the values as sent, without blanks and DQUOTEs around them; empty without that cookie
 * @see RFC 6265bis §4.1.1 (the quotes), §8.6 (weak integrity)
 */
export function readCookie(header: string | null, name: string): string[] {
  if (!header?.includes(name)) return [];
  return header.split(";").filter((part) => part.includes("=") && readName(part) === name).map((part) => {
    const value = trimBlanks(part.slice(part.indexOf("=") + 1));
    return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
  });
}

/**
 * Drops the proxy's own cookies (`proxy_host`, `proxy_token`, `proxy_auth` and those of the jar, prefixed too). The
 * others keep order, spelling and spacing, even if they are nameless, empty or duplicates.
 *
 * @returns the same string when nothing is dropped, `""` when no cookie is left
 */
export function dropOwnCookies(header: string): string {
  if (!header.includes("proxy_")) return header;
  const parts = header.split(";");
  const kept = parts.filter((part) => !isOwn(part));
  if (kept.length === parts.length) return header;
  return kept.every((part) => trimBlanks(part) === "") ? "" : trimBlanks(kept.join(";"));
}

/**
 * The names of the cookies as the browser stores them, in order, without the proxy's own.
 *
 * @param header `null` when the request has no `Cookie`
 * @param withJar includes those that the proxy stores for hosts
 * @returns carried names as they are stored; `""` for a nameless cookie, which browsers send without `=`
 */
export function cookieNames(header: string | null, withJar = false): string[] {
  const isLeft = (part: string) => isOwn(part) && !(withJar && OF_HOSTS.test(readName(part)));
  const parts = header?.split(";").filter((part) => trimBlanks(part) !== "" && !isLeft(part)) ?? [];
  return parts.map((part) => part.includes("=") ? readName(part) : "");
}

/**
 * Restores the names of carried cookies. Call it after `dropOwnCookies`.
 *
 * @param isSecure whether the caller came over https; https and http use different carrier prefixes
 * @returns the same string when no cookie is carried
 */
export function restoreCarriedCookies(header: string, isSecure = false): string {
  return header.includes(CARRIER) ? header.replace(isSecure ? SECURELY_CARRIED : CARRIED, "$1$2") : header;
}

/**
 * A `Set-Cookie` line of the proxy's own: no script reads it, and requests of other sites do not carry it.
 *
 * @param isSecure whether the caller came over https
 * @param seconds how long browsers keep it: 0 drops it, absent means until they are closed
 */
export function ownCookie(pair: string, path: string, isSecure: boolean, seconds?: number): string {
  const age = seconds === undefined ? "" : `; Max-Age=${seconds}`;
  return `${pair}; Path=${path || "/"}; HttpOnly; SameSite=Lax${age}${isSecure ? "; Secure" : ""}`;
}

/** Trims spaces and tabs only: `trim` would also remove U+00A0, the last byte of `à` in UTF-8. */
export function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text, start)) start += 1;
  while (end > start && isBlank(text, end - 1)) end -= 1;
  return text.slice(start, end);
}

function isBlank(text: string, index: number): boolean {
  return text[index] === " " || text[index] === "\t";
}

/** The text before the first `=`, or all of it without one, because servers differ on whether that is a name. */
function readName(part: string): string {
  const [name = ""] = part.split("=", 1);
  return trimBlanks(name);
}

function isOwn(part: string): boolean {
  return part.includes("proxy_") && isOwnName(readName(part));
}

/** True for the name of one of the proxy's own cookies. */
export function isOwnName(name: string): boolean {
  return OWN_NAME.test(name);
}
