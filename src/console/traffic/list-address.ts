/**
 * The part of the page's address that a reload keeps: `#r=<id of the request>&f=<filter>`.
 * @module
 */

import { hideAddress, hideBody } from "../builder/hide.ts";
import { joinTerms, parseFilter } from "./filter.ts";

/** How the list stands. */
export interface ListAddress {
  filter: string;
  /** The key of the request that is picked. */
  request?: string | undefined;
}

const KEY = /^[\w-]{1,80}$/;
const MAX_FILTER = 1_000;

/**
 * Reads it.
 *
 * @param isOwn false for an address that any page may have written: regular expressions, which may take for ever, are left out
 */
export function readListAddress(hash: string, isOwn: boolean): ListAddress {
  const query = new URLSearchParams(hash.slice(1));
  const [request, filter] = [query.get("r") ?? "", (query.get("f") ?? "").slice(0, MAX_FILTER)];
  const plain = parseFilter(filter).filter(({ isExpression }) => !isExpression).map(({ text }) => text);
  return {
    filter: isOwn ? filter : joinTerms(plain),
    ...(KEY.test(request) && { request }),
  };
}

/** Writes it; `""` for a list that shows everything. A filter with a secret is left out: browsers keep addresses. */
export function writeListAddress({ filter, request }: ListAddress): string {
  const query = new URLSearchParams();
  if (request !== undefined) query.set("r", request);
  if (filter !== "" && filter.length <= MAX_FILTER && !isSecretFilter(filter)) query.set("f", filter);
  return query.size > 0 ? `#${query}` : "";
}

/** True for a filter with a regular expression, which may take for ever. */
export function hasExpression(filter: string): boolean {
  return parseFilter(filter).some(({ isExpression }) => isExpression);
}

/** True for a filter that a browser must not keep. */
export function isSecretFilter(filter: string): boolean {
  return hideBody(filter) !== filter || hideAddress(`?${filter}`) !== `?${filter}`;
}
