/**
 * Parses text as a URL, with the same result on every engine.
 * @module
 */

import { settleHost } from "./international.ts";
import { parsePlainUrl } from "./plain-url.ts";

/** What engines may read differently: characters beyond ASCII, their encodings, and `^` in a path. */
const DOUBTFUL = /[^\0-\x7f]|%|xn--|\^/i;
/** The host of an address or of a reference with one, with user, password and port. */
const AUTHORITY = /^([a-z][a-z\d+.-]*:)?([/\\]*)([^/?#\\]*)/i;
/** The slashes in front of a host, with what engines drop there. */
const SLASHES = /^[\0- ]*(?:[/\\][\t\n\r]*){3,}/;

/**
 * Parses as `new URL` does where engines agree, and as the URL standard says where they do not.
 *
 * @param base the address that a relative reference starts from (RFC 3986 §5.1)
 * @returns `undefined` for text that is no URL, or has a host that engines read differently
 * @see rule 18.5
 */
export function parseUrl(text: string | URL, base?: string | URL): URL | undefined {
  const url = parsePlainUrl(text, base) ?? parseSlashes(text, base);
  return url && typeof text === "string" && DOUBTFUL.test(text) ? settle(url, text, base) : url;
}

/** One engine refuses a reference whose host stands behind more than two slashes (URL §4.4, special authority ignore slashes). */
function parseSlashes(text: string | URL, base: string | URL | undefined): URL | undefined {
  if (base === undefined || typeof text !== "string" || !SLASHES.test(text)) return undefined;
  return parsePlainUrl(text.replace(SLASHES, "//"), base);
}

function settle(url: URL, text: string, base?: string | URL): URL | undefined {
  if (!/^(?:http|ws)s?:$/.test(url.protocol)) return url;
  // Engines drop these characters first.
  const read = text.replace(/^[\0- ]+/, "").replace(/[\t\n\r]/g, "");
  const [, scheme, slashes = "", written = ""] = AUTHORITY.exec(read) ?? [];
  if ((scheme || slashes.length > 1) && isInternational(written)) {
    // Without two slashes it may be a path of the base (URL §4.4, special relative or authority state).
    const host = slashes.length > 1 || base === undefined ? settleHost(written) : undefined;
    if (host === undefined) return undefined;
    if (url.hostname !== host) url.hostname = host;
  }
  // The standard encodes `^` (URL §1.3, path percent-encode set); two engines do not.
  if (url.pathname.includes("^")) url.pathname = url.pathname.replaceAll("^", "%5E");
  return url;
}

/** True for text that may hold a name beyond ASCII, in any of its spellings. */
export function isInternational(text: string): boolean {
  return /[^\0-\x7f]|%|xn--/i.test(text);
}
