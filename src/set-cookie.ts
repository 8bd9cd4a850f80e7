/**
 * Rewrites a target's `Set-Cookie` so that the cookie works at the proxy's address, and never steers the proxy.
 * @module
 */

import { CARRIER, SECURE_CARRIER, trimBlanks } from "./cookies.ts";
import { RESERVED } from "./reserved.ts";

/** What the rewriting depends on. */
export interface SetCookieContext {
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
   * - `confine`: `/__proxy__` behind the mount path, added where there is none; for answers of `url` and `arg` to a browser, so that these
   *   cookies neither go to the configured host nor take the place of its own.
   */
  path: "map" | "widen" | "confine";
}

/**
 * The names that a target may not set, in every case, behind anything that a client may skip (blanks, control bytes,
 * and the `=` of a nameless cookie: `=proxy_host=x` is sent back as `proxy_host=x`, `proxy_host` alone as itself).
 * Of a carrier the beginning is enough: whoever sets one has a cookie that looks prefixed to the target.
 */
const FORBIDDEN = new RegExp(
  `^(?:[^!-~]|=)*(?:(?:__Secure-)?${CARRIER}|(?:__(?:Host|Secure|Http|Host-Http)-)?proxy_(?:host|token)[^!-~]*(?:=|$))`,
  "i",
);

/** A name that browsers take over https only; they ignore the case of the prefix. A nameless cookie has no prefix. */
const PREFIXED = /^([^!-~]*)(?=__(?:Host|Secure|Http)-[^=]*=)/i;
/** A name that browsers take with `Path=/` only. */
const HOST_PREFIXED = /^([^!-~]*)(?=__Host-[^=]*=)/i;

/**
 * Rewrites one `Set-Cookie` line. `Domain` goes; `Path` is mapped; over plain http `Secure` and `Partitioned` go,
 * `SameSite=None` becomes `Lax` (browsers refuse it without `Secure`), and a prefixed name is carried behind `CARRIER`;
 * over https a name that wants `Path=/` is carried behind `SECURE_CARRIER` where it gets another one.
 * Name, value, unknown attributes, order and spacing stay byte for byte.
 *
 * @returns `undefined` when the line must not reach the caller: it would set one of the proxy's own cookies
 * @see RFC 6265bis §5.6 (how a browser reads the line), §5.7 (what it refuses)
 */
export function rewriteSetCookie(line: string, context: SetCookieContext): string | undefined {
  const [pair = "", ...attributes] = line.split(";");
  if (FORBIDDEN.test(pair)) return undefined;
  const stored = carryName(pair, context);
  const kept = attributes.map((attribute) => rewriteAttribute(attribute, context));
  if (
    context.path === "confine" && !attributes.some((attribute) => readAttribute(attribute).name === "path")
  ) {
    kept.push(` Path=${context.mountPath}${RESERVED}`);
  }
  return [stored, ...kept.filter((attribute) => attribute !== undefined)].join(";");
}

function carryName(pair: string, { secure, path, mountPath }: SetCookieContext): string {
  if (!secure) return pair.replace(PREFIXED, `$1${CARRIER}`);
  const hasOtherPath = path === "confine" || mountPath !== "";
  return hasOtherPath ? pair.replace(HOST_PREFIXED, `$1${SECURE_CARRIER}`) : pair;
}

/** The attribute as it goes on: the same string where nothing changes, `undefined` to drop it. */
function rewriteAttribute(
  attribute: string,
  context: SetCookieContext,
): string | undefined {
  const { secure } = context;
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
      const mapped = mapPath(value, context);
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

function mapPath(value: string, context: SetCookieContext): string {
  if (context.path === "confine") return context.mountPath + RESERVED;
  if (context.path === "widen") return context.mountPath || "/";
  if (!value.startsWith("/")) return value;
  const path = stripBase(value, context.basePath);
  // `/proxy/` would not cover `/proxy` itself (RFC 6265bis §5.1.4).
  return context.mountPath && path === "/" ? context.mountPath : context.mountPath + path;
}

/** A path that covers the whole base is `/`; one elsewhere on the target stays as it is, nothing here leads there. */
function stripBase(path: string, basePath: string): string {
  if (path.startsWith(`${basePath}/`)) return path.slice(basePath.length);
  const coversBase = `${basePath}/`.startsWith(path.endsWith("/") ? path : `${path}/`);
  return coversBase ? "/" : path;
}
