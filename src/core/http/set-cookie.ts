/**
 * Rewrites a target's `Set-Cookie` so that the cookie works on the proxy's origin, and never steers the proxy.
 * @module
 */

import { CARRIER, ownCookie, SECURE_CARRIER, trimBlanks } from "./cookies.ts";
import { keptName, noteName } from "./cookie-jar.ts";
import { type CookieOrigin, findCookieFault, fitsPair, readAttribute } from "./refused-cookie.ts";

/** The facts that rewriting depends on. */
export interface CookieMapping {
  /** The origin that set the cookie. */
  origin: CookieOrigin;
  /** True when the caller reaches the proxy over https. */
  secure: boolean;
  /** The path of the target's base address without a trailing slash, `""` for none. Used by `path: "map"` only. */
  basePath: string;
  /** Where the proxy is mounted, `""` for the root. */
  mountPath: string;
  /**
   * What happens to `Path`.
   * - `map`: maps it through the base path; for the host selectors, and for `url` to the configured host.
   * - `widen`: sets the mount path or `/`, because addresses of `url` and `arg` do not contain the target's path; for
   *   callers that are no browsers and have their own cookie jar, and for the console.
   */
  path: "map" | "widen";
  /** True if a browser used `url` or `arg`: a cookie without a path gets the one it would have on the host. */
  isDirect?: boolean;
  /** Present if the caller is a browser that stores the cookies of all hosts in one jar. */
  jar?: SharedJar | undefined;
}

/** The owner of a cookie, and its place in the jar. */
interface SharedJar {
  /** The host in the form of `ownerOf`. */
  owner: string;
  /** The path of a cookie without one (RFC 6265bis §5.1.4). */
  defaultPath: string;
  /** How many more cookies may be noted. */
  room: number;
  /** True if the request contained a cookie with this stored name. */
  isShown(name: string): boolean;
}

/**
 * Names that a target may not set, in any case. Ignores what a client may skip before them: blanks, control bytes, and
 * the `=` of a nameless cookie (`=proxy_host=x` is sent back as `proxy_host=x`, `proxy_host` alone as itself). Any name
 * starting with the carrier prefix is refused: the target would see it as a prefixed cookie.
 */
const FORBIDDEN =
  /^(?:[^!-~]|=)*(?:(?:__Secure-)?proxy_(?:carried|(?:at|set)_)|(?:__(?:Host|Secure|Http|Host-Http)-)?proxy_(?:host|token|auth|back|page|seal)[^!-~]*(?:=|$))/i;

/** A name that browsers accept over https only, in any case of the prefix. A nameless cookie has no prefix. */
const PREFIXED = /^([^!-~]*)(?=__(?:Host|Secure|Http)-[^=]*=)/i;
/** A name that browsers accept with `Path=/` only. */
const HOST_PREFIXED = /^([^!-~]*)(?=__Host-[^=]*=)/i;

/**
 * Rewrites one `Set-Cookie` line. `Domain` is removed and `Path` is mapped. Over plain http, `Secure` and `Partitioned`
 * are removed, `SameSite=None` becomes `Lax` (browsers refuse it without `Secure`), and a prefixed name gets `CARRIER`.
 * Over https a name that requires `Path=/` gets `SECURE_CARRIER` if its path differs. In the shared jar, `HttpOnly`
 * cookies get a name with their host. Name, value, unknown attributes, order and spacing stay byte for byte.
 *
 * In the shared jar a name has two places, with and without `HttpOnly`, but it is one cookie to the target. Setting or
 * expiring one place expires the other.
 *
 * A pair that a longer name would push past what browsers store keeps its name (rule 19.4).
 *
 * @returns the lines for the caller: the cookie, its note, and the expiry of its twin; none if it would set one of the
 * proxy's own cookies, if a browser would refuse it from the target itself, or if a change of host could not end it
 * @see RFC 6265bis §5.6 (how a browser reads the line), §5.7 (what it refuses)
 */
export function rewriteSetCookie(line: string, mapping: CookieMapping): string[] {
  const [pair = "", ...attributes] = line.split(";");
  if (FORBIDDEN.test(pair) || findCookieFault(line, mapping.origin)) return [];
  const kept = attributes.map((attribute) => rewriteAttribute(attribute, mapping));
  const write = (stored: string) =>
    [stored, ...kept.filter((attribute) => attribute !== undefined)].join(";");
  const { jar } = mapping;
  if (jar && mapping.isDirect && findPath(kept) === undefined) kept.push(` Path=${jar.defaultPath}`);
  const carried = carryName(pair, mapping);
  if (!jar) return [write(carried)];
  const path = findPath(kept) ?? jar.defaultPath;
  const isVisible = path === (mapping.mountPath || "/");
  const isHidden = attributes.some((attribute) => readAttribute(attribute).name === "httponly");
  const hidden = keepPair(pair, jar.owner, mapping.secure);
  const note = `${noteName({ name: nameOf(carried), path })}=1`;
  const isNoted = isVisible || (jar.room > 0 && fitsPair(note));
  const isKept = fitsPair(hidden) && (isHidden || !isNoted);
  if (!isKept && !isNoted) return [];
  const twin = nameOf(isKept ? carried : hidden);
  // It outlives a change of host, so no script of the next host may read it.
  if (isKept && !isHidden) kept.push(" HttpOnly");
  const lines = [write(isKept ? hidden : carried)];
  if (!isKept && !isVisible) lines.push(writeNote(note, attributes, mapping));
  // A cookie stored under another path is not in the request.
  const isTwin = jar.isShown(twin) || (!isKept && isExpired(attributes));
  if (twin !== "" && isTwin) lines.push(`${write(`${twin}=`)}; Max-Age=0`);
  return lines;
}

function nameOf(pair: string): string {
  return trimBlanks(pair.split("=", 1)[0] ?? "");
}

/** @see RFC 6265bis §5.7 (`Max-Age` comes before `Expires`, and the last one counts) */
function isExpired(attributes: readonly string[]): boolean {
  const read = attributes.map(readAttribute);
  const [age, date] = ["max-age", "expires"].map((wanted) =>
    read.findLast(({ name }) => name === wanted)?.value
  );
  return age === undefined ? Date.parse(date ?? "") <= Date.now() : Number(age) <= 0;
}

/** The last one counts. A browser uses the default path for one that does not start with a slash. */
function findPath(attributes: readonly (string | undefined)[]): string | undefined {
  const read = attributes.flatMap((attribute) => attribute === undefined ? [] : [readAttribute(attribute)]);
  const last = read.filter(({ name }) => name === "path").at(-1)?.value;
  return last?.startsWith("/") ? last : undefined;
}

function keepPair(pair: string, owner: string, isSecure: boolean): string {
  const cut = pair.indexOf("=");
  const name = cut < 0 ? "" : pair.slice(0, cut);
  return `${keptName(trimBlanks(name), owner, isSecure)}=${pair.slice(cut + 1)}`;
}

/** The note lives as long as its cookie, and is sent with every request that changes the host. */
function writeNote(
  note: string,
  attributes: readonly string[],
  { secure, mountPath }: CookieMapping,
): string {
  const life = attributes.filter((attribute) => LIFE.has(readAttribute(attribute).name));
  return [ownCookie(note, mountPath, secure), ...life].join(";");
}

const LIFE: ReadonlySet<string> = new Set(["expires", "max-age"]);

function carryName(pair: string, { secure, mountPath }: CookieMapping): string {
  if (secure && mountPath === "") return pair;
  const carried = secure
    ? pair.replace(HOST_PREFIXED, `$1${SECURE_CARRIER}`)
    : pair.replace(PREFIXED, `$1${CARRIER}`);
  return fitsPair(carried) ? carried : pair;
}

/** Rewrites an attribute: the same string if nothing changes, `undefined` to drop it. */
function rewriteAttribute(
  attribute: string,
  mapping: CookieMapping,
): string | undefined {
  const { secure } = mapping;
  const { name, value, spelling } = readAttribute(attribute);
  switch (name) {
    case "domain":
      return undefined;
    case "secure":
    case "partitioned":
      return secure ? attribute : undefined;
    case "samesite":
      return !secure && value.toLowerCase() === "none" ? `${spelling}=Lax` : attribute;
    case "path": {
      const mapped = mapPath(value, mapping);
      return mapped === value ? attribute : `${spelling}=${mapped}`;
    }
    default:
      return attribute;
  }
}

function mapPath(value: string, mapping: CookieMapping): string {
  if (mapping.path === "widen") return mapping.mountPath || "/";
  if (!value.startsWith("/")) return value;
  const path = dropBasePath(value, mapping.basePath);
  // `/proxy/` would not cover `/proxy` itself (RFC 6265bis §5.1.4).
  return mapping.mountPath && path === "/" ? mapping.mountPath : mapping.mountPath + path;
}

/**
 * Removes the base path. A path that covers the whole base becomes `/`. One outside the base stays, because no address
 * here leads there.
 */
function dropBasePath(path: string, basePath: string): string {
  if (path.startsWith(`${basePath}/`)) return path.slice(basePath.length);
  const coversBase = `${basePath}/`.startsWith(path.endsWith("/") ? path : `${path}/`);
  return coversBase ? "/" : path;
}
