/**
 * Step 2: decides whether a target may be reached, by the addresses that will be dialled.
 * @module
 */

import { type Address, portOf } from "../address/address.ts";
import { readAuthority, readLabel } from "../address/authority.ts";
import { cannotReach, type ProxyError } from "../http/error.ts";
import type { Exchange, Judged, Target } from "../exchange/exchange.ts";
import type { CallerToken, Endpoint as Named } from "../exchange/findings.ts";
import { decideHop, enforce } from "../exchange/hooks.ts";
import { classifyAddress, isAddress, isLoopbackHost, unpackAddress, VERDICT_CLASSES } from "../address/ip.ts";
import { judgeAddresses, judgeName, narrowLoopback, permitsPrivate } from "../address/target-lists.ts";
import { isHandedOn } from "../way/choose-route.ts";
import { hasRemedy, refuseTarget } from "../may/refusal.ts";
import { findRemedy } from "../may/remedy.ts";
import { isOpened, isPrivateName, type Refusal, refusePort, refusePrivate } from "../may/private-targets.ts";

/**
 * Checks an address before anything is sent, and again for every redirect. A name that is refused without its addresses is
 * never resolved: a look-up tells its text to whoever owns the name.
 *
 * @param address the target's, or the one that a redirect leads to
 * @param target the target that the caller named, before any redirect
 * @param method the method of this hop; by default that of the request
 * @returns a promise if the name must be resolved
 * @throws {ProxyError} `forbidden`, `address_prohibited`, `unconfirmed`, `loop`, or the reason why the name did not
 * resolve
 * @see rules 5.1 to 5.6
 */
export function checkAccess(
  address: Address,
  exchange: Exchange,
  target: Target,
  method: string = (exchange.described ?? exchange.incoming).method,
): Judged | Promise<Judged> {
  const { config, runtime, resolver } = exchange;
  const endpoint = readEndpoint(address.origin);
  const { hostname, port, literal } = endpoint;
  const lists = { allow: config.allowTargets, deny: config.denyTargets };
  refuseLabel(endpoint, exchange);
  refusePort(exchange, endpoint, target);
  const hasLists = lists.allow.length > 0 || lists.deny.length > 0;
  const judgement = hasLists ? judgeName(lists, hostname, port) : "allowed";
  if (judgement === "refused") throw refuseByLists(exchange, endpoint);
  const isRemote = config.upstreamDns === "remote" && isHandedOn(exchange, address.origin);
  const { token } = exchange;
  if (token) checkName(exchange, token, endpoint, isRemote);
  decideHop(exchange, address, method, target);
  if (isRemote) return handOn(exchange, endpoint, judgement);
  const known = literal ?? (runtime.resolve && resolver.recall(hostname));
  if (known) return judge(endpoint, known, exchange, target);
  if (!runtime.resolve) return trustPlatform(endpoint, judgement, exchange, target);
  return lookUp(endpoint, exchange, target);
}

function checkName(exchange: Exchange, token: CallerToken, endpoint: Endpoint, isRemote: boolean): void {
  enforce(exchange, () => token.checkName(endpoint, !isRemote && exchange.runtime.resolve !== undefined));
}

async function lookUp(endpoint: Endpoint, exchange: Exchange, target: Target): Promise<Judged> {
  const found = await exchange.resolver.resolve(endpoint.hostname, exchange.runtime.resolve!);
  exchange.record.capture?.lookedUp();
  return judge(endpoint, found, exchange, target);
}

/** Leaves the name for the upstream proxy to resolve; refuses it if only its addresses could decide. */
function handOn(exchange: Exchange, endpoint: Endpoint, judgement: string): undefined {
  if (judgement === "needs_addresses") throw refuseByLists(exchange, endpoint);
}

/** Returns the addresses if all of them may be dialled; otherwise throws. */
function judge(
  endpoint: Endpoint,
  found: readonly string[],
  exchange: Exchange,
  target: Target,
): readonly string[] {
  const { config, runtime, token } = exchange;
  const { hostname, port, origin } = endpoint;
  const lists = { allow: config.allowTargets, deny: config.denyTargets };
  const hasLists = lists.allow.length > 0 || lists.deny.length > 0;
  const listed = hasLists ? narrowLoopback(lists, hostname, port, found) : found;
  if (hasLists && judgeAddresses(lists, hostname, port, listed) === "refused") {
    throw refuseByLists(exchange, endpoint, listed);
  }
  const addresses = token ? narrowByClaims(exchange, token, endpoint, listed) : listed;
  for (const address of addresses) {
    for (const reached of unpackAddress(address)) {
      if (runtime.isOwnAddress?.(reached, port)) throw loop(origin);
    }
    if (classOf(address) === "never") throw prohibition(origin);
  }
  const reason = refuseAddresses(endpoint, addresses, exchange, target);
  if (reason) throw refuse(reason, endpoint, addresses, exchange, target);
  return addresses;
}

/** The addresses that a token allows; the same list if those are all, as it is found again in the caches of connections. */
function narrowByClaims(
  exchange: Exchange,
  token: CallerToken,
  endpoint: Endpoint,
  listed: readonly string[],
): readonly string[] {
  const claimed = enforce(exchange, () => token.checkAddresses(endpoint, listed)) ?? listed;
  return claimed === listed ? listed : listed.filter((address) => claimed.includes(address));
}

/** Why these addresses, each public or private, may not be dialled; `undefined` if they may. */
function refuseAddresses(
  endpoint: Endpoint,
  addresses: readonly string[],
  exchange: Exchange,
  target: Target,
): Refusal | undefined {
  let publics = 0;
  for (const address of addresses) {
    if (classOf(address) === "public") publics += 1;
    else {
      const reason = refusePrivate(exchange, target, endpoint, address);
      if (reason) return reason;
    }
  }
  const isMixed = publics > 0 && publics < addresses.length;
  return isMixed && refusesMixture(endpoint, addresses, exchange) ? "mixed" : undefined;
}

function classOf(address: string) {
  return VERDICT_CLASSES[classifyAddress(address)];
}

/** True for a name with both public and private addresses that no setting names: that suggests DNS rebinding. */
function refusesMixture(endpoint: Endpoint, addresses: readonly string[], exchange: Exchange): boolean {
  const { config: { privateTargets, allowTargets } } = exchange;
  if (typeof privateTargets === "boolean") return false;
  return !addresses.some((address) =>
    isOpened(exchange.config, endpoint, address) ||
    permitsPrivate(allowTargets, endpoint.hostname, endpoint.port, address)
  );
}

/** The error for refused addresses, which names the setting that would allow them. */
function refuse(
  reason: Refusal,
  endpoint: Endpoint,
  addresses: readonly string[],
  exchange: Exchange,
  target: Target,
): ProxyError {
  const { hostname, port, origin: { host } } = endpoint;
  const isAllowed = (changed: Exchange) => {
    const left = refuseAddresses(endpoint, addresses, changed, target);
    return left === undefined || !hasRemedy(left);
  };
  const isNamed = host === target.origin.host;
  const remedy = hasRemedy(reason)
    ? findRemedy(exchange, `${hostname}:${port}`, isAllowed, isNamed)
    : undefined;
  return refuseTarget(reason, host, exchange, remedy);
}

/** The facts that the text of an origin gives. */
interface Endpoint extends Named {
  /** The IP address without brackets, if the host is one. */
  literal: readonly string[] | undefined;
}

/** Parsed addresses are memoized, so an origin is the same object in each request. */
const endpoints = new WeakMap<URL, Endpoint>();

function readEndpoint(origin: URL): Endpoint {
  let endpoint = endpoints.get(origin);
  if (!endpoint) {
    const { hostname } = origin;
    const port = portOf(origin);
    const literal = isAddress(hostname) ? [hostname.replace(/^\[(.*)\]$/, "$1")] : undefined;
    endpoint = { hostname, port, origin, literal };
    endpoints.set(origin, endpoint);
  }
  return endpoint;
}

/**
 * Decides without a look-up: trusts a platform that filters egress itself. Otherwise a setting must allow the name
 * explicitly.
 */
function trustPlatform(
  endpoint: Endpoint,
  judgement: string,
  exchange: Exchange,
  target: Target,
): undefined {
  const { runtime, config: { allowTargets, trustNames } } = exchange;
  const { hostname, port, origin } = endpoint;
  if (judgement === "needs_addresses") throw refuseByLists(exchange, endpoint);
  const isListed = permitsPrivate(allowTargets, hostname, port, hostname);
  // Names whose addresses are known to be private without a look-up.
  const isPrivate = runtime.filtersEgress ? isLoopbackHost(hostname) : isListed && isPrivateName(hostname);
  if (isPrivate) {
    const loopback = ["127.0.0.1"];
    const reason = refuseAddresses(endpoint, loopback, exchange, target);
    if (reason) throw refuse(reason, endpoint, loopback, exchange, target);
  }
  if (runtime.filtersEgress || isListed || trustNames) return;
  const state = "its addresses cannot be judged here. Hand over a runtime, or name it in allowTargets";
  throw cannotReach("address_prohibited", origin.host, state);
}

/** Refuses host labels of this proxy as targets. Its other names are recognised by the addresses that it listens on. */
function refuseLabel({ hostname, port, origin }: Endpoint, { caller, config }: Exchange): void {
  if (readLabel(hostname, config.proxyDomain) === undefined) return;
  if (port === (readAuthority(caller.host).port ?? (caller.isSecure ? 443 : 80))) throw loop(origin);
}

function loop({ host }: URL): ProxyError {
  return cannotReach("loop", host, "it is the proxy itself. Use another target");
}

/** Says which of the two lists refuses the target. `addresses` are absent if only the name is known. */
function refuseByLists(
  { config: { allowTargets, denyTargets } }: Exchange,
  { hostname, port, origin }: Endpoint,
  addresses?: readonly string[],
): ProxyError {
  const lists = { allow: [], deny: denyTargets };
  const verdict = addresses
    ? judgeAddresses(lists, hostname, port, addresses)
    : judgeName(lists, hostname, port);
  const isDenied = verdict === "refused" || allowTargets.length === 0;
  const state = verdict === "needs_addresses"
    ? "its addresses cannot be judged here, but DENY_TARGETS has ranges. Use names there"
    : isDenied
    ? "DENY_TARGETS refuses it. Remove it there, or use another target"
    : "ALLOW_TARGETS does not name it. Add it there";
  return cannotReach("forbidden", origin.host, state, { names: ["ALLOW_TARGETS", "DENY_TARGETS"] });
}

function prohibition({ host }: URL): ProxyError {
  return cannotReach(
    "address_prohibited",
    host,
    "no setting allows its address. Use a public or private one",
  );
}
