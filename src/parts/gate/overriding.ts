/**
 * Headers that name another path or method than the request line does. Some servers obey them, so they are not sent when
 * `paths` or `methods`, of the table or of a caller's token, limit the request.
 * @module
 */

import { isBelow } from "../../core/address/path-prefix.ts";
import { ProxyError } from "../../core/http/error.ts";
import { Fields } from "../../core/http/fields.ts";
import { memoize } from "../../core/http/memo.ts";
import type { Dress, Exchange } from "../../core/exchange/exchange.ts";

/** Headers of IIS, Symfony and Zend, and of frameworks that let forms name a method. */
const OVERRIDING =
  /^x-(?:original-ur[il]|rewrite-ur[il]|forwarded-(?:uri|path|prefix)|http-method(?:-override)?|method(?:-override)?)$/;
/** Scheme and authority of an address. */
const ORIGIN = /^[a-z][\w+.-]*:\/\/[^/?#]*/i;

/** CGI reads `_` and `-` as the same character (RFC 3875 §4.1.18). */
const isOverriding = memoize((name) => OVERRIDING.test(name.replaceAll("_", "-")));

/** The limits on a request's path and method. */
export interface Narrowing {
  /** The path must lie below a prefix of each list; empty if only the method is limited. */
  readonly paths: readonly (readonly string[])[];
}

/** How an entry and a token limit the requests to an origin; `undefined` if they do not. */
export function findNarrowing(
  { table, token }: Pick<Exchange, "table" | "token">,
  origin: URL,
): Narrowing | undefined {
  const narrowed = [table?.find(origin), token?.claims].filter((one) => one?.paths || one?.methods);
  if (narrowed.length === 0) return undefined;
  return { paths: narrowed.flatMap((one) => one?.paths ? [one.paths] : []) };
}

/**
 * The headers without those that override the path or the method.
 *
 * @throws {ProxyError} `forbidden` for a WebDAV `Destination` outside the allowed paths (RFC 4918 §10.3)
 */
export function dropOverriding(headers: Dress["headers"], { paths }: Narrowing): Dress["headers"] {
  const destination = headers.get("destination");
  if (destination !== null && !paths.every((list) => isBelow(list, destination.replace(ORIGIN, "") || "/"))) {
    throw new ProxyError(
      "forbidden",
      "Cannot send this request: its Destination is not below the paths that are allowed",
    );
  }
  const names = new Set<string>();
  headers.forEach((_, name) => void (isOverriding(name) && names.add(name)));
  if (names.size === 0) return headers;
  const kept = new Fields(headers);
  for (const name of names) kept.delete(name);
  return kept;
}
