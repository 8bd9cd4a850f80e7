/**
 * Headers that name another path or method than the request line does. Some servers obey them, so they are not sent when
 * `paths` or `methods`, of the table or of a caller's token, limit the request.
 * @module
 */

import { isBelow } from "../address/path-prefix.ts";
import { ProxyError } from "../http/error.ts";
import { Fields } from "../http/fields.ts";
import { memoize } from "../http/memo.ts";
import type { Dress, Exchange } from "../exchange/exchange.ts";
import { enforce } from "../exchange/hooks.ts";
import type { TableEntry } from "../exchange/table-entry.ts";

/** Headers of IIS, Symfony and Zend, and of frameworks that let forms name a method. */
const OVERRIDING =
  /^x-(?:original-ur[il]|rewrite-ur[il]|forwarded-(?:uri|path|prefix)|http-method(?:-override)?|method(?:-override)?)$/;
/** Scheme and authority of an address; a backslash begins the path, as it does for browsers. */
const ORIGIN = /^[a-z][\w+.-]*:\/\/[^/?#\\]*/i;

/** CGI reads `_` and `-` as the same character (RFC 3875 §4.1.18). */
const isOverriding = memoize((name) => OVERRIDING.test(name.replaceAll("_", "-")));

/** Headers that name a second path: that of WebDAV (RFC 4918 §10.3), and what S3 and other clouds copy or rename. */
const SECOND = /^(?:destination|x-copy-from|x-[a-z]+-(?:file-)?(?:copy|rename)-source)$/;
const isSecond = memoize((name) => SECOND.test(name));

/** What limits the method and the path of a request: an entry of the table, or the claims of a token. */
type Limits = Pick<TableEntry, "methods" | "paths" | "requests">;

/**
 * The headers of a hop without those that override the path or the method; `undefined` if these limits allow any.
 *
 * @throws {ProxyError} `forbidden` if the request moves or copies something to or from a path that is not allowed
 */
export function narrowHeaders(
  headers: Dress["headers"],
  limits: Limits | undefined,
  exchange: Exchange,
): Dress["headers"] | undefined {
  if (!(limits?.methods ?? limits?.paths ?? limits?.requests)) return undefined;
  const lists = [limits?.paths, limits?.requests?.paths].filter((list) => list !== undefined);
  enforce(exchange, () => checkDestination(headers, lists));
  return dropOverriding(headers);
}

function checkDestination(headers: Dress["headers"], lists: readonly (readonly string[])[]): void {
  headers.forEach((value, name) => {
    if (!isSecond(name)) return;
    // S3 takes no address: what looks like one is a bucket.
    const place = name.startsWith("x-amz-") ? value : value.replace(ORIGIN, "");
    // Clouds take it without a slash in front, too.
    const isDestination = name === "destination";
    const path = isDestination ? place || "/" : place.replace(/^\/?/, "/");
    if (lists.every((list) => isBelow(list, path))) return;
    const shown = isDestination ? "Destination" : name;
    throw new ProxyError(
      "forbidden",
      `Cannot send this request: its ${shown} is not below the paths that are allowed`,
    );
  });
}

function dropOverriding(headers: Dress["headers"]): Dress["headers"] {
  const names = new Set<string>();
  headers.forEach((_, name) => void (isOverriding(name) && names.add(name)));
  if (names.size === 0) return headers;
  const kept = new Fields(headers);
  for (const name of names) kept.delete(name);
  return kept;
}
