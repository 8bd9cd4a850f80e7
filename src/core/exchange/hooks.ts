/**
 * What the parts do in the steps: their lists, and the functions that ask all of them;
 * first, which form an address has.
 * @module
 */

import type { Address } from "../address/address.ts";
import { isReserved, RESERVED } from "../address/reserved-paths.ts";
import type {
  Dress,
  Exchange,
  Hooks,
  HopRequest,
  Judged,
  ResponseSource,
  Rules,
  Target,
  TargetResponse,
} from "./exchange.ts";
import type { Line, Wishes } from "./findings.ts";
import type { TableEntry } from "./table-entry.ts";
import { ProxyError } from "../http/error.ts";
import type { FieldWriter } from "../http/fields.ts";
import type { Reply } from "../http/reply.ts";
import type { Config } from "../settings/config.ts";
import type { Carried } from "../who/host-selectors.ts";

/** Makes the lists; once for a proxy, and again when its settings change. */
export function hooksOf(rules: readonly Rules[]): Hooks {
  return Object.freeze({
    read: listOf(rules, "read"),
    admit: listOf(rules, "admit"),
    showsKey: listOf(rules, "showsKey"),
    meet: listOf(rules, "meet"),
    wish: listOf(rules, "wish"),
    strip: listOf(rules, "strip"),
    decide: listOf(rules, "decide"),
    limit: listOf(rules, "limit"),
    witness: listOf(rules, "witness"),
    pardon: listOf(rules, "pardon"),
    dress: listOf(rules, "dress"),
    answer: listOf(rules, "answer"),
    answersAlike: rules.every(({ answer, answersAlike }) => !answer || answersAlike),
    find: listOf(rules, "find"),
    keyFields: listOf(rules, "keyFields"),
    secrets: listOf(rules, "secrets"),
  });
}

function listOf<Name extends keyof Omit<Rules, "answersAlike">>(
  rules: readonly Rules[],
  name: Name,
): readonly NonNullable<Rules[Name]>[] {
  return rules.map((one) => one[name]).filter((one) => one !== undefined);
}

/** The lists of a proxy without parts. */
export const NO_HOOKS: Hooks = hooksOf([]);

/**
 * Asks the caller's token and the parts whether one hop may have this method and path.
 *
 * @throws {ProxyError} the first reason against it
 */
export function decideHop(exchange: Exchange, address: Address, method: string, target: Target): void {
  const { parts, token } = exchange;
  if (token) {
    token.checkPlace(target.origin, findEntry(parts, target.origin));
    enforce(exchange, () => token.checkHop(method, address.path));
  }
  for (const decide of parts.decide) decide(address, method, exchange, target);
}

/**
 * Makes a check of what the caller's token or the table allows; a part may let pass what it refuses (rule 22.18).
 *
 * @param check may return a promise
 * @returns `undefined` for what a part let pass
 * @throws {ProxyError} the refusal, if no part does
 */
export function enforce<T>(exchange: Exchange, check: () => T): T | undefined {
  const { pardon } = exchange.parts;
  if (pardon.length === 0) return check();
  const allow = (refusal: unknown): undefined => {
    if (!(refusal instanceof ProxyError)) throw refusal;
    for (const part of pardon) part(refusal, exchange);
  };
  try {
    const checked = check();
    return checked instanceof Promise ? checked.catch(allow) as T : checked;
  } catch (refusal) {
    return allow(refusal);
  }
}

/** Reads what a request asks of parts by these lines of its own. */
export async function readWishes(
  lines: readonly Line[],
  exchange: Exchange,
  target: Target,
): Promise<Wishes | undefined> {
  for (const wish of exchange.parts.wish) {
    const wishes = await wish(lines, exchange, target);
    if (wishes) return wishes;
  }
  return undefined;
}

/** Has the parts hear of a decision (rule 22.11). */
export async function tellDecision(
  { record, parts }: Pick<Exchange, "record" | "parts">,
  outcome: Judged | ProxyError,
): Promise<void> {
  for (const witness of parts.witness) await witness(record, parts, outcome);
}

/** The exchange with the limits of the targets at this origin. */
export function limitExchange(exchange: Exchange, origin: URL): Exchange {
  let limited = exchange;
  for (const limit of exchange.parts.limit) limited = limit(limited, origin);
  return limited;
}

/**
 * Adapts ("dresses") the request of one hop as the parts say, just before it is sent. Each hop starts anew, so nothing meant
 * for one target reaches another.
 *
 * @returns the headers and the path that are sent to the target; `undefined` if the request is sent as it is
 * @throws {ProxyError} for what a part refuses
 */
export function dressHop(
  { origin, path, headers, addresses }: Omit<HopRequest, "isNamed" | "isWhole">,
  { isNamed, isWhole }: Pick<HopRequest, "isNamed" | "isWhole">,
  exchange: Exchange,
): Dress | undefined {
  const { parts: { dress: parts } } = exchange;
  if (parts.length === 0) return undefined;
  // Lists the members one by one, because a spread would slow every request.
  const asked: HopRequest = { origin, path, headers, addresses, isNamed, isWhole };
  let hop = asked;
  for (const dress of parts) hop = join(hop, dress(hop, exchange));
  return hop === asked ? undefined : hop;
}

/** The hop with a change. What several parts hide is all hidden. */
function join(hop: HopRequest, change: Dress | undefined): HopRequest {
  if (!change) return hop;
  const { redact: first } = hop;
  const { path, headers, redact: second, signing = hop.signing } = change;
  const redact = first && second ? (response: TargetResponse) => first(second(response)) : first ?? second;
  const { origin, addresses, isNamed, isWhole } = hop;
  return { origin, path, headers, addresses, isNamed, isWhole, redact, signing };
}

/** Changes the headers that the target sent. `origin` is that of the target that the caller named. */
export function changeResponse(
  exchange: Exchange,
  headers: FieldWriter,
  source: ResponseSource,
  origin: URL,
): void {
  for (const change of exchange.parts.answer) change(headers, source, origin, exchange);
}

/** The response of the first part that answers a request itself. */
export function meet(exchange: Exchange): Reply | undefined {
  for (const ask of exchange.parts.meet) {
    const reply = ask(exchange);
    if (reply) return reply;
  }
  return undefined;
}

/** The entry of an origin, from the first part that has one. */
export function findEntry({ find }: Pick<Hooks, "find">, origin: URL): TableEntry | undefined {
  for (const ask of find) {
    const entry = ask(origin);
    if (entry) return entry;
  }
  return undefined;
}

/**
 * True if the target at this origin is told the caller's own host, so that addresses of the proxy are its own to it
 * (rule 19.1).
 */
export function hearsCaller({ config, parts }: Pick<Exchange, "config" | "parts">, origin: URL): boolean {
  return config.forwardClient || findEntry(parts, origin)?.keepsHost === true;
}

/** The path to use, and the form of the path that was sent. */
export interface ReadPath extends Pick<Exchange, "path"> {
  /** `undefined` for a path in none of the forms. */
  readonly form: Exchange["form"];
}

/**
 * Reads a path. The first form that fits counts, and only if nothing else determines a target: no host selector, not even a
 * malformed one, and no default target.
 *
 * @param path path and query as sent, without the mount path
 * @see specification 4.1, whose order still applies
 */
export function readPath(
  path: string,
  { header, cookie, label }: Carried,
  { target }: Pick<Config, "target">,
  { read: readers }: Pick<Hooks, "read">,
): ReadPath {
  const isDetermined = (header ?? cookie ?? label ?? target) !== undefined;
  if (readers.length === 0 || isDetermined || isReserved(path)) return { path, form: undefined };
  for (const read of readers) {
    const written = read(path);
    if (written) {
      return { path: `${RESERVED}/?url=${encodeURIComponent(written.address)}`, form: written.form };
    }
  }
  return { path, form: undefined };
}
