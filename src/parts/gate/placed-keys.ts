/**
 * Fills in the keys that a caller placed as `{{NAME}}`: in headers, and in the query of `url` and `arg` (rule 9.3).
 * @module
 */

import { ProxyError } from "../../core/http/error.ts";
import { Fields } from "../../core/http/fields.ts";
import type { Entry } from "./targets/entry.ts";
import { fillKeys, listKeys } from "./targets/keys.ts";
import type { TargetTable } from "./targets/table.ts";
import type { Dress, Exchange, HopRequest } from "../../core/exchange/exchange.ts";
import { checkKeyRights } from "./key-rights.ts";

/** A name in double braces, as it stands in a query. */
const IN_QUERY = /(?:\{\{|%7b%7b)([A-Za-z_][A-Za-z0-9_]*)(?:\}\}|%7d%7d)/gi;

/** A changed hop, and the keys by name that are sent with it; absent if there are none. */
export interface KeyDress extends Pick<Dress, "path" | "headers"> {
  readonly sent?: ReadonlyMap<string, string>;
}

/**
 * The hop with its placed keys filled in. A name that no entry lists is ordinary text. After a redirect to another
 * target, headers with keys of the previous target are dropped.
 *
 * @throws {ProxyError} `forbidden` for a key that the target is not listed for, or that the caller may not use
 */
export function placeKeys(
  hop: HopRequest,
  entry: Entry | undefined,
  callerKeys: TargetTable["callerKeys"],
  exchange: Exchange,
): KeyDress {
  const sent = new Map<string, string>();
  const isKnown = (text: string) =>
    text.includes("{{") && listKeys(text).some((name) => callerKeys.has(name));
  const read = (name: string) => {
    const value = callerKeys.get(name);
    if (value === undefined) return undefined;
    if (!entry?.keys.includes(name)) throw refusal(name, hop.origin);
    if (sent.size === 0) checkKeyRights(exchange, hop.origin, hop.addresses);
    sent.set(name, value);
    return value;
  };
  const isElsewhere = (text: string) =>
    !hop.isNamed && listKeys(text).some((name) => !entry?.keys.includes(name));
  const headers = new Fields();
  let isChanged = false;
  hop.headers.forEach((value, name, written) => {
    const isPlaced = isKnown(value);
    isChanged ||= isPlaced;
    if (isPlaced && isElsewhere(value)) return;
    headers.append(name, isPlaced ? fillKeys(value, read) : value, written);
  });
  const path = hop.isNamed && hop.isWhole ? placeInQuery(hop.path, read) : hop.path;
  return { path, headers: isChanged ? headers : hop.headers, ...(sent.size > 0 && { sent }) };
}

function placeInQuery(path: string, read: (name: string) => string | undefined): string {
  const cut = path.indexOf("?");
  if (cut < 0) return path;
  const query = path.slice(cut).replace(IN_QUERY, (whole, name: string) => {
    const value = read(name);
    return value === undefined ? whole : encodeURIComponent(value);
  });
  return path.slice(0, cut) + query;
}

function refusal(name: string, { host }: URL): ProxyError {
  return new ProxyError(
    "forbidden",
    `Cannot place {{${name}}}: ${host} is not listed for this key. Name it in "keys" of that target's entry`,
  );
}
