/**
 * Which paths are the proxy's own, and where it is mounted.
 * @module
 */

import { readAddressParameter, readQuery } from "./query.ts";
import type { ErrorTitle } from "../http/error.ts";

/** The prefix of all reserved paths. */
export const RESERVED = "/__proxy__";

/** Before a label that names a target (rule 20.1). */
export const AT: string = `${RESERVED}/at`;

/** The path that explains how a request would be handled. */
export const EXPLAIN: string = `${RESERVED}/explain`;

/** Where the form of the sign-in page posts to. It exists only if the settings require a token. */
export const SIGN_IN: string = `${RESERVED}/sign-in`;

/** True for a path that the proxy answers itself. */
export function isReserved(path: string): boolean {
  return path.startsWith(RESERVED) && /^[/?]?$/.test(path.charAt(RESERVED.length));
}

/**
 * True if the proxy itself would answer this path of its origin. The mount path may be stripped twice: by a front
 * server, and again by the proxy.
 *
 * @param path from the `/` of the origin on, as a browser requests it: without dot segments
 */
export function isOwnPath(path: string, mountPath: string): boolean {
  const [plain = ""] = path.split("#", 1);
  const once = stripMount(plain, mountPath) ?? plain;
  const twice = stripMount(once, mountPath) ?? once;
  return isReserved(plain) || isReserved(once) || isReserved(twice);
}

/** True for `/__proxy__/at/<label>/…`, whatever the label is. All that follows it belongs to the target, the query too. */
export function isAt(path: string): boolean {
  return path.startsWith(AT) && /^[/?]?$/.test(path.charAt(AT.length));
}

/**
 * The path on a target of a path on the proxy.
 *
 * @param path without the mount path
 * @param place where the target is on the proxy, by `at`; absent if it has all paths but the reserved ones
 * @returns `undefined` for a path that does not lead to the target
 */
export function pathOnTarget(path: string, place: string | undefined): string | undefined {
  if (place !== undefined) return stripMount(path, place);
  return isReserved(path) ? undefined : path;
}

/** True for a path that names a target by itself: `/__proxy__/` with a `url`, and `/__proxy__/at/<label>/…`. */
export function hasAddress(path: string): boolean {
  if (isAt(path)) return true;
  return /^\/__proxy__\/?\?/.test(path) && readAddressParameter(readQuery(path)) !== undefined;
}

/** True for the page `/__proxy__/<name>` itself, with any query. */
export function isPageAt(
  path: string,
  name: "fetch" | "fetch/" | "health" | "metrics" | "send" | "sign-in" | "socket",
): boolean {
  return isReserved(path) && path.split("?", 1)[0] === `${RESERVED}/${name}`;
}

/** True for `/__proxy__/fetch`, also with a slash at its end. */
export function isFetch(path: string): boolean {
  return isPageAt(path, "fetch") || isPageAt(path, "fetch/");
}

/** The title of an error on this path (rule 6.1). */
export function titleOf(path: string): ErrorTitle {
  return isFetch(path) ? "Fetch API Error" : "Proxy Error";
}

/** True for the proxy's own pages. On every other path `Authorization` belongs to the target. */
export function isPage(path: string): boolean {
  return isReserved(path) && !hasAddress(path);
}

const PATH = /^\/(?:[\w.~-]+(?:\/[\w.~-]+)*\/?)?$/;
const ODD_SEGMENT = /\/(?:\.\.?|__proxy__)(?:\/|$)/;

/**
 * Reads a mount path; a slash at its end does not count.
 *
 * @returns `""` for the root, `undefined` for anything but a plain path (one that has only one spelling)
 */
export function parseMountPath(text: string): string | undefined {
  return PATH.test(text) && !ODD_SEGMENT.test(text) ? text.replace(/\/$/, "") : undefined;
}

/**
 * The path after the mount path, with everything that follows; `/proxy?x` is `/?x`.
 *
 * @param path a path on the proxy's origin, from its `/` on
 * @returns `undefined` for a path outside the mount path
 */
export function stripMount(path: string, mountPath: string): string | undefined {
  if (mountPath === "") return path;
  if (!path.startsWith(mountPath)) return undefined;
  const rest = path.slice(mountPath.length);
  return rest.startsWith("/") ? rest : /^(?:[?#]|$)/.test(rest) ? `/${rest}` : undefined;
}
