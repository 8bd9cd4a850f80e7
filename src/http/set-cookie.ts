/**
 * Rewrites a target's `Set-Cookie` so that the cookie works on the proxy's origin, and never steers the proxy.
 * @module
 */

import { CARRIER, SECURE_CARRIER, trimBlanks } from "./cookies.ts";
import { keptName, type Note, noteName } from "./cookie-jar.ts";

/** What the rewriting depends on. */
export interface CookieMapping {
  /** True when the caller reaches the proxy over https. */
  secure: boolean;
  /** The path of the target's base address without a trailing slash, `""` for none. Read by `path: "map"` only. */
  basePath: string;
  /** Where the proxy is mounted, `""` for the root. */
  mountPath: string;
  /**
   * What becomes of `Path`.
   * - `map`: as seen through the base path; for the host selectors, and `url` where it leads to the configured host.
   * - `widen`: the mount path or `/`, because the addresses of `url` and `arg` hold no path of the target; for callers with a cookie jar
   *   of their own that are no browser.
   */
  path: "map" | "widen";
  /** True where the browser asked by `url` or `arg`: a cookie that names no path gets the one it would have on the host. */
  isDirect?: boolean;
  /** Where the caller is a browser that keeps the cookies of all hosts in one jar; else absent. */
  jar?: SharedJar | undefined;
}

/** Whose cookie it is, and where it stands. */
export interface SharedJar {
  /** The host, as `ownerOf` writes it. */
  owner: string;
  /** The path of a cookie that names none (RFC 6265bis §5.1.4). */
  defaultPath: string;
  /** How many more cookies may be noted. */
  room: number;
  /** True for the stored name of a cookie that the browser showed with the request. */
  isShown(name: string): boolean;
}

/**
 * The names that a target may not set, in every case, behind anything that a client may skip (blanks, control bytes,
 * and the `=` of a nameless cookie: `=proxy_host=x` is sent back as `proxy_host=x`, `proxy_host` alone as itself). Any
 * name starting with the carrier prefix is refused: the target would see it as a prefixed cookie.
 */
const FORBIDDEN = new RegExp(
  `^(?:[^!-~]|=)*(?:(?:__Secure-)?(?:${CARRIER}|proxy_(?:at|set)_)|` +
    `(?:__(?:Host|Secure|Http|Host-Http)-)?proxy_(?:host|token|auth|back|page|seal)[^!-~]*(?:=|$))`,
  "i",
);

/** A name that browsers take over https only; they ignore the case of the prefix. A nameless cookie has no prefix. */
const PREFIXED = /^([^!-~]*)(?=__(?:Host|Secure|Http)-[^=]*=)/i;
/** A name that browsers take with `Path=/` only. */
const HOST_PREFIXED = /^([^!-~]*)(?=__Host-[^=]*=)/i;

/**
 * Rewrites one `Set-Cookie` line. `Domain` goes; `Path` is mapped; over plain http `Secure` and `Partitioned` go,
 * `SameSite=None` becomes `Lax` (browsers refuse it without `Secure`), and a prefixed name is carried behind `CARRIER`;
 * over https a name that wants `Path=/` is carried behind `SECURE_CARRIER` where it gets another one. In the jar that hosts
 * share, `HttpOnly` cookies get a name that says whose they are.
 * Name, value, unknown attributes, order and spacing stay byte for byte.
 *
 * A name has two places there, with and without `HttpOnly`, but is one cookie to the target: what is set or expired in one
 * place is expired in the other.
 *
 * @returns the lines for the caller: the cookie, a note of it, the end of its twin; none when it would set one of the
 * proxy's own cookies
 * @see RFC 6265bis §5.6 (how a browser reads the line), §5.7 (what it refuses)
 */
export function rewriteSetCookie(line: string, mapping: CookieMapping): string[] {
  const [pair = "", ...attributes] = line.split(";");
  if (FORBIDDEN.test(pair)) return [];
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
  const isKept = isHidden || (!isVisible && jar.room <= 0);
  const twin = nameOf(isKept ? carried : hidden);
  const lines = [write(isKept ? hidden : carried)];
  if (!isKept && !isVisible) lines.push(writeNote({ name: nameOf(carried), path }, attributes, mapping));
  // Of what is kept under another path nothing is shown.
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

/** The last one counts; a browser takes the default for what does not begin with a slash. */
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

/** The note lives as long as its cookie, and is seen wherever the host is changed. */
function writeNote(
  note: Note,
  attributes: readonly string[],
  { secure, mountPath }: CookieMapping,
): string {
  const life = attributes.filter((attribute) => LIFE.has(readAttribute(attribute).name));
  const flags = secure ? "; Secure" : "";
  return [`${noteName(note)}=1; Path=${mountPath || "/"}; HttpOnly; SameSite=Lax${flags}`, ...life].join(";");
}

const LIFE: ReadonlySet<string> = new Set(["expires", "max-age"]);

function carryName(pair: string, { secure, mountPath }: CookieMapping): string {
  if (!secure) return pair.replace(PREFIXED, `$1${CARRIER}`);
  return mountPath === "" ? pair : pair.replace(HOST_PREFIXED, `$1${SECURE_CARRIER}`);
}

/** The attribute as it goes on: the same string where nothing changes, `undefined` to drop it. */
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

function readAttribute(attribute: string): { name: string; value: string; spelling: string } {
  const cut = attribute.indexOf("=");
  const spelling = cut < 0 ? attribute : attribute.slice(0, cut);
  const value = cut < 0 ? "" : trimBlanks(attribute.slice(cut + 1));
  return { name: trimBlanks(spelling).toLowerCase(), value, spelling };
}

function mapPath(value: string, mapping: CookieMapping): string {
  if (mapping.path === "widen") return mapping.mountPath || "/";
  if (!value.startsWith("/")) return value;
  const path = dropBasePath(value, mapping.basePath);
  // `/proxy/` would not cover `/proxy` itself (RFC 6265bis §5.1.4).
  return mapping.mountPath && path === "/" ? mapping.mountPath : mapping.mountPath + path;
}

/** A path that covers the whole base is `/`; one elsewhere on the target stays as it is, nothing here leads there. */
function dropBasePath(path: string, basePath: string): string {
  if (path.startsWith(`${basePath}/`)) return path.slice(basePath.length);
  const coversBase = `${basePath}/`.startsWith(path.endsWith("/") ? path : `${path}/`);
  return coversBase ? "/" : path;
}
