/**
 * Keeps a caller within the claims of its token. Claims only narrow what the settings allow, so both are checked, each on
 * its own (rule 10.1).
 * @module
 */

import type { Address } from "../../core/address/address.ts";
import { judgeAddresses, judgeName, narrowLoopback } from "../../core/address/target-lists.ts";
import { ProxyError } from "../../core/http/error.ts";
import type { Exchange, Target } from "../../core/exchange/exchange.ts";
import { decideHop, findEntry } from "../../core/exchange/hooks.ts";
import { listKeyFields, type TableEntry } from "../../core/exchange/table-entry.ts";
import { isBelow } from "../../core/address/path-prefix.ts";
import type { Hop } from "../../core/may/rights.ts";
import { TokenRefusal } from "./token-refusal.ts";
import type { CallerToken } from "./token.ts";

/**
 * Refuses pages that the token is not for. Does not apply to programs: they send no Fetch Metadata and no `Origin`.
 *
 * @throws {ProxyError} `forbidden`
 */
export function checkOrigin({ claims: { origins } }: CallerToken, { incoming, caller }: Exchange): void {
  if (!origins || origins.any || !(caller.isBrowser || caller.hasOrigin)) return;
  const { headers } = incoming;
  // Browsers send no Origin with a GET to the page's own origin.
  const isOwn = headers.get("sec-fetch-site") === "same-origin";
  const origin = headers.get("origin") ?? (isOwn ? caller.origin : null);
  if (origin === null || !origins.listed.has(origin)) throw outOf("origins", "the origin of this page");
}

/**
 * Judges a target by its name, before anything is looked up.
 *
 * @param isResolved false if no name can be looked up here: then the name alone must be enough
 * @throws {ProxyError} `forbidden`
 */
export function checkClaimedName(
  token: CallerToken,
  { hostname, port, origin }: Hop,
  isResolved: boolean,
): void {
  const judgement = judgeName(listsOf(token), hostname, port);
  if (judgement === "refused" || (judgement === "needs_addresses" && !isResolved)) {
    throw outOf("targets", origin.host);
  }
}

/**
 * Judges a target by its addresses, and returns those that may be dialled.
 *
 * @throws {ProxyError} `forbidden`
 */
export function checkClaimedAddresses(
  token: CallerToken,
  { hostname, port, origin }: Hop,
  addresses: readonly string[],
): readonly string[] {
  const lists = listsOf(token);
  const claimed = narrowLoopback(lists, hostname, port, addresses);
  if (judgeAddresses(lists, hostname, port, claimed) === "refused") throw outOf("targets", origin.host);
  return claimed;
}

/**
 * Checks the method and the path of one hop, by the caller's token and by the table.
 *
 * @throws {ProxyError} `forbidden` or `token_missing`
 */
export function checkHop(exchange: Exchange, target: Target, address: Address, method: string): void {
  const { token } = exchange;
  if (token) checkBounds(token, exchange, target, address, method);
  decideHop(exchange, address, method, target);
}

/**
 * Checks the method and the path of one hop, and that the target takes a key in the header that carried the token.
 *
 * @throws {ProxyError} `forbidden`; `token_missing` if the token is in a header in which this target takes no key
 */
export function checkBounds(
  { claims: { methods, paths }, fields }: CallerToken,
  { parts }: Pick<Exchange, "parts">,
  target: Target,
  { path }: Address,
  method: string,
): void {
  if (fields.length > 0) checkPlace(fields, findEntry(parts, target.origin), target);
  if (methods && !methods.includes(method)) throw outOf("methods", `method ${method}`);
  if (paths && !isBelow(paths, path)) throw outOf("paths", "this path");
}

/** Checks the target's own entry: a header that carries a key for one target is an ordinary header for another. */
function checkPlace(fields: readonly string[], entry: TableEntry | undefined, { origin }: Target): void {
  const taken = entry ? listKeyFields(entry) : [];
  if (fields.some((field) => taken.includes(field))) return;
  const state = `${origin.host} takes no key in ${fields.join(", ")}`;
  throw new TokenRefusal({ code: "token_missing", state }, "Send it in the header proxy_token");
}

function listsOf({ claims: { targets = [] } }: CallerToken) {
  return { allow: targets, deny: [] };
}

function outOf(claim: string, what: string): ProxyError {
  return new ProxyError(
    "forbidden",
    `Cannot send this request: ${what} is not in ${claim} of the caller's token. Use another token`,
  );
}
