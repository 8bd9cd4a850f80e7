/**
 * What one table of targets does in the steps: what it allows (rules 8.3 and 8.8), its limits (8.4), and what it changes in
 * responses (8.2 and 9.7).
 * @module
 */

import type { Exchange, ResponseSource, Rules } from "../../core/exchange/exchange.ts";
import { enforce } from "../../core/exchange/hooks.ts";
import { opensSocket } from "../../core/way/handshake.ts";
import { narrowHeaders } from "../../core/way/overriding.ts";
import { dress } from "./dress.ts";
import { searchFor } from "./redact.ts";
import type { HeldBytes } from "./sign/aws-signer.ts";
import type { TargetTable } from "./targets/table.ts";
import { type Address, schemeOf } from "../../core/address/address.ts";
import { isBelow } from "../../core/address/path-prefix.ts";
import { ProxyError } from "../../core/http/error.ts";
import type { Entry } from "./targets/entry.ts";
import type { Config } from "../../core/settings/config.ts";
import { createTimes, type Times } from "../../core/http/deadlines.ts";
import type { FieldWriter } from "../../core/http/fields.ts";
import { memoize } from "../../core/http/memo.ts";

/** The functions that apply this table; `held` is that of the proxy. */
export function rulesOf(table: TargetTable, held: HeldBytes): Rules {
  const { entries, find, keyFields, keys } = table;
  const narrows = entries.some(({ methods, paths, requests }) => methods || paths || requests);
  return {
    ...narrows && {
      decide: (address, method, exchange, target) => {
        const entry = find(address.origin);
        const isSocket = () => opensSocket(exchange, target);
        if (entry) enforce(exchange, () => checkRules(entry, method, address, isSocket));
      },
    },
    limit: (exchange, origin) => limitExchange(exchange, find(origin)),
    dress: narrows
      ? (hop, exchange) => {
        const headers = narrowHeaders(hop.headers, find(hop.origin), exchange);
        const change = dress(headers ? { ...hop, headers } : hop, table, exchange, held);
        return change ?? (headers && { path: hop.path, headers });
      }
      : (hop, exchange) => dress(hop, table, exchange, held),
    answer: (headers, response, origin) => changeResponse(headers, table, response, origin),
    answersAlike: true,
    find,
    keyFields,
    ...keys.size > 0 && { secrets: searchFor(keys) },
  };
}

/**
 * Refuses methods, paths and requests that the entry does not allow. Whether the target itself is allowed is decided
 * earlier.
 *
 * @param isSocket tells whether it is the handshake of a WebSocket
 * @throws {ProxyError} `forbidden`
 */
export function checkRules(
  entry: Entry,
  method: string,
  { origin, path }: Address,
  isSocket: () => boolean,
): void {
  if (entry.methods && !entry.methods.includes(method)) {
    throw refusal(`method ${method} is not allowed for ${origin.host}`, `methods of ${entry.name}`);
  }
  if (entry.paths && !isBelow(entry.paths, path)) {
    throw refusal(`this path is not allowed for ${origin.host}`, `paths of ${entry.name}`);
  }
  if (!entry.requests) return;
  const kind = `${method} ${schemeOf(origin, isSocket())}`;
  if (isBelow(entry.requests.byKind.get(kind) ?? [], path)) return;
  throw refusal(`${kind} of this path is not allowed for ${origin.host}`, `requests of ${entry.name}`);
}

function refusal(state: string, member: string): ProxyError {
  return new ProxyError(
    "forbidden",
    `Cannot send this request: ${state}. The table of targets has it in ${member}`,
  );
}

/** What an entry with limits changes in an exchange; made once for each entry. */
interface Limited {
  /** The settings whose limits were replaced. */
  readonly settings: Config;
  readonly config: Config;
  readonly own: Times;
  readonly shared: Times;
}

const made = new WeakMap<Entry, Limited>();

/** The exchange with the limits of a target's entry, if it has any. */
export function limitExchange(exchange: Exchange, entry: Entry | undefined): Exchange {
  if (!entry?.limits) return exchange;
  const known = made.get(entry);
  const limited = known?.settings === exchange.config ? known : limitConfig(exchange.config, entry);
  if (limited !== known) made.set(entry, limited);
  const deadlines = exchange.runtime.keepsTimers ? limited.shared : limited.own;
  return { ...exchange, config: limited.config, deadlines };
}

function limitConfig(settings: Config, { limits }: Entry): Limited {
  const config: Config = { ...settings, ...limits };
  return { settings, config, own: createTimes(config, false), shared: createTimes(config, true) };
}

/** Directives that say at least as much as `private` (RFC 9111 §5.2.2). */
const PRIVATE = /(?:^|,)\s*(?:private|no-store)\s*(?:,|$)/i;
/** Directives that would let a shared cache store the response. */
const SHARING = /(?:^|,)\s*(?:public|s-maxage\s*=\s*[^,]*|proxy-revalidate)\s*(?=,|$)/gi;

/** Headers that shared caches obey in place of `Cache-Control` (RFC 9213 §2, and older vendor-specific ones). */
const TARGETED = /^(?:(?:.+-)?cdn-cache-control|surrogate-control|edge-control|x-accel-expires)$/;

/** Memoized, because the same few names recur. */
const isTargeted = memoize((name) => TARGETED.test(name));

/**
 * Changes the headers that the target sent.
 *
 * @param answer the final address of the response, and whether its request carried a key
 * @param origin the target that the caller named
 */
export function changeResponse(
  headers: FieldWriter,
  table: TargetTable,
  { finalAddress, hadKey = false }: ResponseSource,
  origin: URL,
): void {
  const entry = table.find(finalAddress?.origin ?? origin);
  if (entry) {
    for (const name of entry.answerRemove) headers.delete(name);
    for (const { name, value, written } of entry.answerSet) headers.set(name, value, written);
  }
  if (hadKey) keepPrivate(headers);
}

function keepPrivate(headers: FieldWriter): void {
  const targeted: string[] = [];
  headers.forEach((_, name) => void (isTargeted(name) && targeted.push(name)));
  for (const name of targeted) headers.delete(name);
  const control = headers.get("cache-control");
  if (control !== null && PRIVATE.test(control)) return;
  const kept = (control ?? "").replace(SHARING, "").replace(/^\s*,\s*/, "").trim();
  headers.set("cache-control", kept ? `private, ${kept}` : "private");
}
