/**
 * The line of a decision (rules 22.12 and 22.14).
 * @module
 */

import { schemeOf } from "../../core/address/address.ts";
import { maskPath } from "../../core/address/mask-path.ts";
import type { Hooks, Judged } from "../../core/exchange/exchange.ts";
import { findEntry } from "../../core/exchange/hooks.ts";
import type { RequestRecord } from "../../core/exchange/record.ts";
import { ProxyError } from "../../core/http/error.ts";

/** The most characters of a member; so a line stays below 4,096 bytes, which a pipe takes whole (POSIX, PIPE_BUF). */
const MOST = { path: 1_024, reason: 512, host: 260, other: 128 };
/** What a terminal or a reader of lines may obey. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * Formats a decision as one line of JSON, without the line end. Members that are `undefined` are absent.
 *
 * @param outcome the addresses that may be dialled, as `Judged`; an error if nothing is sent
 * @param name names settings as the caller knows them
 */
export function formatDecision(
  record: RequestRecord,
  parts: Pick<Hooks, "find" | "secrets">,
  outcome: Judged | ProxyError,
  name: (error: ProxyError) => ProxyError,
): string {
  const { hop, pardoned, id, caller, callerId, selector, method } = record;
  const isRefused = outcome instanceof ProxyError;
  const refusal = isRefused ? outcome : pardoned;
  const clean = (text: string) => parts.secrets.reduce((cleaned, search) => search.clean(cleaned), text);
  return JSON.stringify({
    time: new Date().toISOString(),
    id,
    caller: cut(caller),
    caller_id: cut(callerId),
    selector,
    method: cut(hop?.method ?? method),
    scheme: hop && schemeOf(hop.origin, hop.isSocket),
    host: cut(hop?.origin.host, MOST.host),
    path: hop && cut(showPath(hop.path, clean), MOST.path),
    entry: hop && cut(findEntry(parts, hop.origin)?.name),
    rule: refusal?.code ?? (outcome ? "addresses" : "name"),
    verdict: isRefused ? "refused" : pardoned ? "would_refuse" : "allowed",
    reason: refusal && cut(clean(name(refusal).message), MOST.reason),
  });
}

/** The path without its query, and without what looks like a secret. A long one ends behind a slash. */
function showPath(address: string, clean: (text: string) => string): string {
  const [path = ""] = address.split("?", 1);
  const short = path.length > MOST.path ? `${path.slice(0, path.lastIndexOf("/", MOST.path) + 1)}…` : path;
  return maskPath(clean(short));
}

function cut(text: string | undefined, most = MOST.other): string | undefined {
  const shown = text !== undefined && text.length > most ? `${text.slice(0, most)}…` : text;
  return shown?.replace(UNSAFE, "?");
}
