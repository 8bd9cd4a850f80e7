/**
 * Headers that name another path or method than the request line does. Some servers obey them, so they are not sent when
 * `paths` or `methods`, of the table or of a caller's token, limit the request.
 * @module
 */

import { isBelow } from "../address/path-prefix.ts";
import { ProxyError } from "../http/error.ts";
import { Fields } from "../http/fields.ts";
import { memoize } from "../http/memo.ts";
import type { Dress, Exchange, Hooks } from "../exchange/exchange.ts";
import type { TableEntry } from "../exchange/table-entry.ts";

/** Headers of IIS, Symfony and Zend, and of frameworks that let forms name a method. */
const OVERRIDING =
  /^x-(?:original-ur[il]|rewrite-ur[il]|forwarded-(?:uri|path|prefix)|http-method(?:-override)?|method(?:-override)?)$/;
/** Scheme and authority of an address; a backslash begins the path, as it does for browsers. */
const ORIGIN = /^[a-z][\w+.-]*:\/\/[^/?#\\]*/i;

/** CGI reads `_` and `-` as the same character (RFC 3875 §4.1.18). */
const isOverriding = memoize((name) => OVERRIDING.test(name.replaceAll("_", "-")));

/** The limits on a request's path and method. */
export interface Narrowing {
  /** The path must lie below a prefix of each list; empty if only the method is limited. */
  readonly paths: readonly (readonly string[])[];
}

/** How entries and a token limit the requests to an origin; `undefined` if they do not. */
export function findNarrowing(
  { parts, token }: Pick<Exchange, "token"> & { readonly parts: Pick<Hooks, "find"> },
  origin: URL,
): Narrowing | undefined {
  if (!token && parts.find.length === 0) return undefined;
  const limits: (Pick<TableEntry, "methods" | "paths" | "requests"> | undefined)[] = [];
  for (const find of parts.find) limits.push(find(origin));
  if (token) limits.push(token.claims);
  if (!limits.some((one) => one?.methods ?? one?.paths ?? one?.requests)) return undefined;
  return {
    paths: limits.flatMap((one) => [one?.paths, one?.requests?.paths]).filter((list) => list !== undefined),
  };
}

/** Headers that name a second path: that of WebDAV (RFC 4918 §10.3), and what S3 and other clouds copy or rename. */
const SECOND = /^(?:destination|x-copy-from|x-[a-z]+-(?:file-)?(?:copy|rename)-source)$/;
const isSecond = memoize((name) => SECOND.test(name));

/**
 * Checks where a request moves or copies something to.
 *
 * @throws {ProxyError} `forbidden` for a second path outside the allowed paths
 */
export function checkDestination(headers: Dress["headers"], { paths }: Narrowing): void {
  headers.forEach((value, name) => {
    if (!isSecond(name)) return;
    // S3 takes no address: what looks like one is a bucket.
    const place = name.startsWith("x-amz-") ? value : value.replace(ORIGIN, "");
    // Clouds take it without a slash in front, too.
    const isDestination = name === "destination";
    const path = isDestination ? place || "/" : place.replace(/^\/?/, "/");
    if (paths.every((list) => isBelow(list, path))) return;
    const shown = isDestination ? "Destination" : name;
    throw new ProxyError(
      "forbidden",
      `Cannot send this request: its ${shown} is not below the paths that are allowed`,
    );
  });
}

/** The headers without those that override the path or the method. */
export function dropOverriding(headers: Dress["headers"]): Dress["headers"] {
  const names = new Set<string>();
  headers.forEach((_, name) => void (isOverriding(name) && names.add(name)));
  if (names.size === 0) return headers;
  const kept = new Fields(headers);
  for (const name of names) kept.delete(name);
  return kept;
}
