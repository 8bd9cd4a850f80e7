/**
 * A browser has one cookie jar for the proxy's plain origin, which all hosts share in turn. This module returns each
 * cookie to the host that set it.
 *
 * `HttpOnly` cookies are stored under a name with their host, and survive a change of host. Other cookies keep their
 * names for the page's scripts, and expire with the change. A cookie of the proxy notes those under other paths, which
 * the change cannot see.
 * @module
 */

import { decodePercent } from "./text.ts";
import { isOwnName, trimBlanks } from "./cookies.ts";

const KEPT = "proxy_at_";
/** Over https the prefix stays, so an attacker on the network cannot plant the cookie. */
const SECURELY_KEPT = `__Secure-${KEPT}`;
const NOTE = "proxy_set_";
/** Ends the owner; no owner contains it. */
const END = "~";
/** Maximum number of notes in a browser, because it sends each with every request. */
export const MAX_NOTES = 16;

/** Characters that an attribute may contain. */
const VISIBLE = /^[!-:<-~]+$/;

/** A cookie with a path other than the root. */
export interface Note {
  name: string;
  path: string;
}

/** The host in the form for cookie names: `https_app.test_8443`. */
export function ownerOf({ protocol, hostname, port }: URL): string {
  return [protocol.slice(0, -1), hostname, port].map(escape).join("_");
}

/** The name under which a host's cookie is stored. */
export function keptName(name: string, owner: string, isSecure: boolean): string {
  return (isSecure && /^__/.test(name) ? SECURELY_KEPT : KEPT) + owner + END + name;
}

/**
 * The cookies for the target: those stored for it, under their original names; none of those stored for other targets;
 * and all other cookies unchanged.
 */
export function releaseCookies(header: string, owner: string, isSecure: boolean): string {
  if (!header.includes(KEPT)) return header;
  const released = header.split(";").map((part) => release(part, owner, isSecure));
  return trimBlanks(released.filter((part) => part !== undefined).join(";"));
}

function release(part: string, owner: string, isSecure: boolean): string | undefined {
  const [, blanks = "", prefix, rest = ""] = /^([ \t]*)(__Secure-)?proxy_at_(.*)$/s.exec(part) ?? [];
  if (rest === "") return part;
  const cut = rest.indexOf(END);
  const name = rest.slice(cut + 1);
  // Over https, a stored `__Host-` cookie without the outer prefix was planted by an attacker.
  const isWhole = !isSecure || (prefix !== undefined) === name.startsWith("__");
  return cut > 0 && rest.slice(0, cut) === owner && isWhole ? blanks + name : undefined;
}

/** The name of the cookie that notes another one. */
export function noteName({ name, path }: Note): string {
  return NOTE + escape(name) + END + escape(path);
}

/** True for a `Set-Cookie` line that stores a note. */
export function isNote(line: string): boolean {
  return line.startsWith(NOTE);
}

/** Reads the noted cookies in a request: at most `MAX_NOTES`, and none of the proxy's own. */
export function readNotes(header: string | null): Note[] {
  if (!header?.includes(NOTE)) return [];
  return header.split(";").flatMap((part) => {
    const [, name, path] = /^[ \t]*proxy_set_([^~=]*)~([^~=]*)=/.exec(part) ?? [];
    if (name === undefined || path === undefined) return [];
    const note = { name: unescape(name), path: unescape(path) };
    // A script may have planted it, so it must not break a line or delete the proxy's own cookies.
    const isLine = VISIBLE.test(note.name) && VISIBLE.test(note.path) && note.path.startsWith("/");
    return isLine && !isOwnName(note.name) ? [note] : [];
  }).slice(0, MAX_NOTES);
}

/** Escapes what a cookie name can't contain, and `_` and `~`, which are separators here. */
function escape(text: string): string {
  return encodeURIComponent(text).replace(/[%_~!'()*]/g, (sign) => {
    return sign === "%" ? "!" : `!${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  });
}

function unescape(text: string): string {
  return decodePercent(text.replaceAll("!", "%")) ?? "";
}
