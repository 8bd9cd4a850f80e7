/**
 * The verdict on a request, by the same functions that judge a request when it is sent.
 * @module
 */

import type { Exchange, Judged, Prepared, Steps, Target } from "../../core/exchange/exchange.ts";
import { chooseRoute, refuseDetour } from "../../core/way/choose-route.ts";
import { dressHop, findEntry, limitExchange } from "../../core/exchange/hooks.ts";
import { isUpgrade } from "../../core/http/headers.ts";
import { isLoopbackHost } from "../../core/address/ip.ts";
import { isByHost } from "../../core/address/address.ts";
import { type ErrorCode, ProxyError } from "../../core/http/error.ts";
import { judgeCookies } from "../../core/may/credentials.ts";
import { dropOwnCookies } from "../../core/http/cookies.ts";
import type { TableEntry } from "../../core/exchange/table-entry.ts";
import { nameOptionsOf } from "../../core/settings/option-names.ts";

/** Whether a request would be sent. */
export interface Verdict {
  /** False if the proxy refuses it, or cannot reach the target. With the rule `not_looked_up` it may still be refused. */
  allowed: boolean;
  /**
   * What decided: the error code of a refusal; for an allowed request, its addresses or only its name; `not_looked_up` if
   * nothing is decided yet, because only a look-up can; `own` if the proxy answers by itself.
   */
  rule: ErrorCode | "addresses" | "name" | "not_looked_up" | "own";
  reason: string;
  /** True for a request that is only sent because of `GATE=report`; `rule` and `reason` are those of the refusal. */
  wouldRefuse?: true;
  /** The setting that would allow it, as `NAME=value`. */
  setting?: string;
}

const ALLOWED: Verdict = { allowed: true, rule: "addresses", reason: "Its addresses may be dialled" };
const ALLOWED_BY_NAME: Verdict = {
  allowed: true,
  rule: "name",
  reason: "Allowed by its name; its addresses are not judged here",
};
const NOT_LOOKED_UP: Verdict = {
  allowed: true,
  rule: "not_looked_up",
  reason:
    "Depends: its name is allowed, it was not resolved, and its addresses are judged when it is dialled",
};

/** The steps that judge a request. */
export type JudgingSteps = Pick<Steps, "checkAccess" | "buildRequest">;

/** Thrown in place of a look-up. */
class NotLookedUp extends Error {}

/** What a name may lead to that was not looked up: to no other addresses go keys over plain http. */
const LOOPBACK = ["127.0.0.1"];

/** Replaces look-ups: resolves loopback names only, and ignores the cache, so that nobody learns which names are in it. */
const BLIND: Exchange["resolver"] = {
  recall: () => undefined,
  forget: () => {},
  resolve: (hostname) =>
    isLoopbackHost(hostname) ? Promise.resolve(LOOPBACK) : Promise.reject(new NotLookedUp()),
};

/**
 * Judges a target as the steps of a real request would.
 *
 * @param looksUp whether its name is looked up; otherwise only checks without a look-up decide
 */
export async function judgeTarget(
  exchange: Exchange,
  target: Target,
  { checkAccess, buildRequest }: JudgingSteps,
  looksUp: boolean,
): Promise<Verdict> {
  const asked = looksUp ? exchange : { ...exchange, resolver: BLIND };
  try {
    const found = await findAddresses(asked, target, checkAccess);
    const request = await buildRequest(asked, target, found.addresses);
    checkRequest(asked, target, request, found.isOpen);
    const { addresses, isOpen } = found;
    const verdict = addresses ? ALLOWED : isOpen ? NOT_LOOKED_UP : ALLOWED_BY_NAME;
    const { pardoned } = exchange.record;
    return pardoned ? pardonedOf(pardoned, verdict, exchange) : withLimit(verdict, exchange, target);
  } catch (error) {
    if (error instanceof ProxyError) return refusalOf(error, exchange);
    throw error;
  }
}

/** The verdict on what is sent because of `GATE=report` alone; its addresses may still refuse it. */
function pardonedOf(pardoned: ProxyError, { rule, reason }: Verdict, exchange: Exchange): Verdict {
  const refusal: Verdict = { ...refusalOf(pardoned, exchange), allowed: true, wouldRefuse: true };
  return rule === "not_looked_up" ? { ...refusal, rule, reason: `${reason}. ${refusal.reason}` } : refusal;
}

/** Says of a request that is allowed what its body decides: that is not part of the question. */
function withLimit(verdict: Verdict, exchange: Exchange, { origin }: Target): Verdict {
  const { maxRequestBytes: most } = limitExchange(exchange, origin).config;
  if (most === 0 || isUpgrade((exchange.described ?? exchange.incoming).headers)) return verdict;
  return { ...verdict, reason: `${verdict.reason}. A body of more than ${most} bytes is refused` };
}

/** Turns an error into a verdict, in the words of who asks. */
export function refusalOf(error: ProxyError, { isEmbedded }: Pick<Exchange, "isEmbedded">): Verdict {
  const { code, message, setting } = nameOptionsOf(error, isEmbedded);
  return { allowed: false, rule: code, reason: message, ...(setting !== undefined && { setting }) };
}

/** The judged addresses; `isOpen` if only a look-up could tell them. */
async function findAddresses(
  exchange: Exchange,
  target: Target,
  checkAccess: JudgingSteps["checkAccess"],
): Promise<{ addresses: Judged; isOpen: boolean }> {
  try {
    return { addresses: await checkAccess(target, exchange, target), isOpen: false };
  } catch (error) {
    if (!(error instanceof NotLookedUp)) throw error;
    return { addresses: undefined, isOpen: true };
  }
}

/** Checks what comes between the request as it would go out and the connection: its keys, and the route. */
function checkRequest(exchange: Exchange, { selector }: Target, request: Prepared, isOpen: boolean): void {
  const { origin, addresses } = request;
  const dressed = isOpen ? { ...request, addresses: LOOPBACK } : request;
  dressHop(dressed, { isNamed: true, isWhole: !isByHost(selector) }, exchange);
  const route = chooseRoute(exchange, origin, addresses);
  if (route) refuseDetour(exchange.runtime, origin, route);
}

/** The judgement on cookies. */
export interface ToldCookies {
  sent: boolean;
  why: string;
}

/** Tells what happens to the cookies of a request. */
export function tellCookies(exchange: Exchange, target: Target | undefined, isAllowed: boolean): ToldCookies {
  if (!target || !isAllowed) return keep("Nothing goes out");
  const shown = (exchange.described ?? exchange.incoming).headers.get("cookie");
  if (target.selector === "arg") {
    return shown === null
      ? keep("An arg has only the fields that it describes")
      : { sent: true, why: "The arg describes them" };
  }
  if (shown === null || dropOwnCookies(shown) === "") return keep("The request has none but the proxy's own");
  const { host, sendsCookies, isCrossing } = judgeCookies(exchange, target);
  if (sendsCookies) {
    return { sent: true, why: host ? "They belong to this host" : "The caller keeps its own cookies" };
  }
  return keep(
    host && isCrossing ? "A page of another label asks" : "They belong to another host than this one",
  );
}

function keep(why: string): ToldCookies {
  return { sent: false, why };
}

/** An entry, by its names. */
export interface ToldEntry {
  /** The entry's name as written in the table. */
  name: string;
  /** Names of the fields that it sets; those of parameters begin with `?`. */
  set: string[];
  /** Names of the fields that it removes. */
  remove: string[];
  /** Names of the keys that callers may place. */
  keys: string[];
  /** For whom requests are signed; absent if the entry signs none. */
  sign?: TableEntry["sign"];
}

/** Describes the entry of a target; `null` without one, and for pages of targets and of strangers, who must not see it. */
export function tellEntry({ parts, asker }: Exchange, { origin }: Target): ToldEntry | null {
  if (asker === "page" || asker === "stranger") return null;
  const entry = findEntry(parts, origin);
  if (!entry) return null;
  const { name, set, setQuery, remove, keys, sign } = entry;
  const names = [...set.map((field) => field.name), ...setQuery.map((field) => `?${field.name}`)];
  return { name, set: names, remove: [...remove], keys: [...keys], ...sign && { sign } };
}
