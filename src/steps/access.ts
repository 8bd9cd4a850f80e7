/**
 * Step 2: decides whether a target may be reached, by the addresses that will be dialled.
 * @module
 */

import { type Address, portOf } from "../address/address.ts";
import { readAuthority, readLabel } from "../address/authority.ts";
import { ProxyError } from "../http/error.ts";
import type { Exchange, Judged, Target } from "../exchange/exchange.ts";
import { classifyAddress, isAddress, isLoopbackHost, unpackAddress, VERDICT_CLASSES } from "../address/ip.ts";
import { judgeAddresses, judgeName, permitsPrivate } from "../address/target-lists.ts";
import { refuseTarget } from "../exchange/refusal.ts";
import { type Hop, isOpened, type Refusal, refusePrivate } from "../exchange/rights.ts";

/**
 * Checks an address before anything is sent, and again for every redirect. A name is resolved only if its text does not
 * decide.
 *
 * @param address the target's, or the one that a redirect leads to
 * @param target the target that the caller named, before any redirect
 * @returns a promise if the name must be resolved
 * @throws {ProxyError} `forbidden`, `address_prohibited`, `unconfirmed`, `loop`, or the reason why the name did not
 * resolve
 * @see contract 5
 */
export function checkAccess(
  { origin }: Address,
  exchange: Exchange,
  target: Target,
): Judged | Promise<Judged> {
  const { config, runtime, resolver } = exchange;
  const endpoint = readEndpoint(origin);
  const { hostname, port, literal } = endpoint;
  const lists = { allow: config.allowTargets, deny: config.denyTargets };
  refuseLabel(endpoint, exchange);
  const hasLists = lists.allow.length > 0 || lists.deny.length > 0;
  const judgement = hasLists ? judgeName(lists, hostname, port) : "allowed";
  if (judgement === "refused") throw refusal(origin);
  const known = literal ?? (runtime.resolve && resolver.recall(hostname));
  if (known) return judge(endpoint, known, exchange, target);
  if (!runtime.resolve) return trustPlatform(endpoint, judgement, exchange, target);
  return resolver.resolve(hostname, runtime.resolve).then((found) =>
    judge(endpoint, found, exchange, target)
  );
}

/** Returns the addresses if every one of them may be dialled. */
function judge(
  endpoint: Endpoint,
  addresses: readonly string[],
  exchange: Exchange,
  target: Target,
): readonly string[] {
  const { config, runtime } = exchange;
  const { hostname, port, origin } = endpoint;
  const lists = { allow: config.allowTargets, deny: config.denyTargets };
  const hasLists = lists.allow.length > 0 || lists.deny.length > 0;
  if (hasLists && judgeAddresses(lists, hostname, port, addresses) === "refused") throw refusal(origin);
  let publics = 0;
  for (const address of addresses) {
    if (unpackAddress(address).some((reached) => runtime.isOwnAddress?.(reached, port))) throw loop(origin);
    const verdict = VERDICT_CLASSES[classifyAddress(address)];
    if (verdict === "never") throw prohibition(origin);
    if (verdict === "public") publics += 1;
    else throwRefusal(refusePrivate(exchange, target, endpoint, address), endpoint, exchange);
  }
  if (publics > 0 && publics < addresses.length) refuseMixture(endpoint, addresses, exchange);
  return addresses;
}

/** Refuses a name with both public and private addresses, which suggests DNS rebinding. */
function refuseMixture(endpoint: Endpoint, addresses: readonly string[], exchange: Exchange): void {
  const { config: { privateTargets, allowTargets } } = exchange;
  if (typeof privateTargets === "boolean") return;
  const isWanted = addresses.some((address) =>
    isOpened(exchange, endpoint, address) ||
    permitsPrivate(allowTargets, endpoint.hostname, endpoint.port, address)
  );
  if (!isWanted) throwRefusal("mixed", endpoint, exchange);
}

function throwRefusal(
  reason: Refusal | "mixed" | undefined,
  { origin }: Endpoint,
  { caller, config }: Exchange,
): void {
  if (reason) throw refuseTarget(reason, { target: origin.host, host: caller.host, config });
}

/** The facts in the text of an origin. */
interface Endpoint extends Hop {
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
  const { runtime, config } = exchange;
  const { origin, hostname } = endpoint;
  if (judgement === "needs_addresses") throw refusal(origin);
  if (runtime.filtersEgress) {
    // The only names whose address is known without a look-up.
    if (isLoopbackHost(hostname)) {
      throwRefusal(refusePrivate(exchange, target, endpoint, "127.0.0.1"), endpoint, exchange);
    }
    return;
  }
  if (config.trustNames) return;
  throw new ProxyError(
    "address_prohibited",
    `Cannot reach ${origin.host}: its addresses cannot be checked here. ` +
      "Use the entry of your runtime, or set the option trustNames",
  );
}

/** Refuses host labels of this proxy as targets. Its other names are known by the addresses it listens on. */
function refuseLabel({ hostname, port, origin }: Endpoint, { caller, config }: Exchange): void {
  if (readLabel(hostname, config.proxyDomain) === undefined) return;
  if (port === (readAuthority(caller.host).port ?? (caller.isSecure ? 443 : 80))) throw loop(origin);
}

function loop({ host }: URL): ProxyError {
  return new ProxyError("loop", `Cannot reach ${host}: it is the proxy itself. Use another target`);
}

function refusal({ host }: URL): ProxyError {
  return new ProxyError(
    "forbidden",
    `Cannot reach ${host}: the settings do not allow it (ALLOW_TARGETS, DENY_TARGETS)`,
  );
}

function prohibition({ host }: URL): ProxyError {
  return new ProxyError(
    "address_prohibited",
    `Cannot reach ${host}: no setting allows its address, expected a public or private one`,
  );
}
