/**
 * Splits a link to a proxy into its parts.
 * @module
 */

import { readParameter } from "../core/address/query.ts";
import { endOfLink } from "../parts/links/signed-link.ts";

/** Captures the part before the reserved path, that path with its query, the page and the query. */
const LINK = /^([^?#]*?)(\/__proxy__(\/fetch)?\/?\?([^#]*))/;

/** The same for an address by `at`: before it, all of it, the label and what follows. */
const AT = /^([^?#]*?)(\/__proxy__\/at\/([^/?#]*)([^#]*))/;

/** A link to `/__proxy__/` or `/__proxy__/fetch`, or an address by `at`. */
export interface ProxyLink {
  /** Origin and mount path of the proxy as written, without a slash at the end. */
  base: string;
  /** Path and query after the mount path, as a signature covers them. */
  path: string;
  isFetch: boolean;
  /** The label of an address by `at`, and what follows. */
  at?: { label: string; rest: string };
  query: string;
  /** The earliest `exp`, in Unix seconds. */
  exp: number | undefined;
}

/** Splits a link; `undefined` for any other text. */
export function readLink(text: string): ProxyLink | undefined {
  const [based, home = "", own = "", label = "", rest = ""] = AT.exec(text) ?? [];
  if (based !== undefined) {
    return { base: home, path: own, isFetch: false, query: "", exp: undefined, at: { label, rest } };
  }
  const [found, base = "", path = "", page, query = ""] = LINK.exec(text) ?? [];
  if (found === undefined) return undefined;
  const end = readParameter(query, "exp") === undefined ? NaN : endOfLink(path);
  const exp = Number.isFinite(end) ? end : undefined;
  return { base, path, isFetch: page !== undefined, query, exp };
}
